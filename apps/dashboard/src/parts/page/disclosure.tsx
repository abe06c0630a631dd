import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './disclosure.module.css';

interface DisclosureProps {
  /** The line that is always there. */
  summary: ReactNode;
  /** A class of the line, for a layout of its own. */
  className?: string | undefined;
  /** Whether it shows everything at first. */
  opened?: boolean;
  /** Fills a card from border to border. */
  inCard?: boolean;
  children: ReactNode;
}

/** A line that a person opens to see more. */
export function Disclosure({ summary, className = '', opened = false, inCard = false, children }: DisclosureProps) {
  return (
    <details open={opened} {...(inCard && { className: classes.inCard! })}>
      <summary className={`${classes.summary} ${className}`}>
        <ChevronRight size={16} className={classes.arrow!} aria-hidden />
        {summary}
      </summary>
      <div className={classes.more}>{children}</div>
    </details>
  );
}
