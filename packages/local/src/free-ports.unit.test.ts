import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, it } from 'vitest';
import { freePorts } from './free-ports.ts';

it('gives no port twice, also to those who ask before the first has taken it', async () => {
  // With ports chosen by chance, two of these 400 would be the same 29 times in 30.
  const all = [...(await freePorts(200)), ...(await freePorts(200))];
  expect(new Set(all).size).toBe(400);
});

it('gives no port that another process was given, as long as that runs', async () => {
  const module = JSON.stringify(path.join(import.meta.dirname, 'free-ports.ts'));
  const script = `const { freePorts } = await import(${module});
    process.stdout.write(JSON.stringify(await freePorts(400)));
    process.stdin.once('end', () => process.exit()).resume();`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [text] = await once(other.stdout, 'data');
  const theirs: number[] = JSON.parse(String(text));
  expect(theirs).toHaveLength(400);
  const ours = await freePorts(400);
  expect(ours.filter((port) => theirs.includes(port))).toEqual([]);
  other.stdin.end();
  await once(other, 'exit');
});
