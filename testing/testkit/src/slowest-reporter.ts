// Names the ten slowest files and tests at the end of a run: a suite gets slow one file at a time, a file one test at a time.
import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const MOST = 10;

export default class SlowestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= MOST) return;
    const fileOf = (module: TestModule) => `${module.project.name}  ${path.relative(process.cwd(), module.moduleId)}`;
    const files = modules.map((module) => ({ name: fileOf(module), ms: module.diagnostic().duration }));
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        name: `${fileOf(module)}: ${test.name}`,
        ms: test.diagnostic()?.duration ?? 0,
      })),
    );
    console.log(`\nThe ten slowest files:\n${slowest(files)}\n\nThe ten slowest tests:\n${slowest(tests)}`);
  }
}

const slowest = (timed: { name: string; ms: number }[]): string =>
  timed
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, MOST)
    .map(({ name, ms }) => `${`${(ms / 1000).toFixed(1)} s`.padStart(8)}  ${name}`)
    .join('\n');
