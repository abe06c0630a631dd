// A program: removes every container that has a label, with its data. Its arguments are the label's name and value.
import { engine } from './engine.ts';

const [name = '', value = ''] = process.argv.slice(2);
const client = await engine();
for (;;) {
  const container = await client.container.fetchByLabel(name, value);
  if (!container) break;
  await container.remove({ force: true, v: true });
}
