import { expect, it } from 'vitest';
import { logWriter } from './log-lines.ts';

function written(colours: boolean, ...lines: [name: string, line: string][]): string {
  let text = '';
  const write = logWriter((part) => (text += part), ['gateway-1', 'link-1'], colours);
  for (const [name, line] of lines) write(name, line);
  return text;
}

const line = (fields: object) =>
  JSON.stringify({ level: 'info', time: '2026-11-21T18:56:30.123Z', service: 'link', instance: 'link-1', ...fields });

it('shows who says what, when, and with which facts', () => {
  expect(written(false, ['link-1', line({ port: 8080, paths: ['/a'], msg: 'ready' })])).toBe(
    'link-1     18:56:30.123  info  ready  port=8080 paths=["/a"]\n',
  );
});

it('shows an error with its stack', () => {
  const err = { type: 'Error', message: 'no', stack: 'Error: no\n    at here' };
  expect(written(false, ['gateway-1', line({ level: 'error', err, msg: 'it failed' })])).toBe(
    'gateway-1  18:56:30.123  error  it failed\ngateway-1      Error: no\ngateway-1          at here\n',
  );
});

it.each(['plain text', '{ no JSON', '{"level": 30}', 'null', ''])(
  'leaves as it is what no logger of ours wrote: %s',
  (said) => {
    expect(written(false, ['link-1', said])).toBe(`link-1     ${said}\n`);
  },
);

it('has colours where they are wanted', () => {
  expect(written(true, ['link-1', line({ level: 'error', msg: 'it failed' })])).toContain('\x1b[31merror\x1b[0m');
});
