// Names the ten slowest test files at the end of a run: a suite gets slow one file at a time.
import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const MOST = 10;

export default class SlowestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= MOST) return;
    const slowest = modules
      .map((module) => ({ module, ms: module.diagnostic().duration }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, MOST);
    const lines = slowest.map(({ module, ms }) => {
      const seconds = `${(ms / 1000).toFixed(1)} s`.padStart(8);
      return `${seconds}  ${module.project.name}  ${path.relative(process.cwd(), module.moduleId)}`;
    });
    console.log(`\nThe ten slowest files:\n${lines.join('\n')}`);
  }
}
