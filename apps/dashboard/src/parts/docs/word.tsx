import { Code, type CodeProps } from '@mantine/core';

/** A name or a short value. It wraps: a name that scrolls could not be read with the keyboard. */
export const Word = (props: CodeProps) => <Code {...props} style={{ overflowWrap: 'anywhere', overflow: 'visible' }} />;
