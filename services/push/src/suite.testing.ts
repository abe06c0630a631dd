// The suites of the messages that the push service answers.
import { type EventDef, type InputOf, RegisterDevice } from '@landfall/contracts';
import { type Fixture, type HandlerSuiteOptions, handlerSuite } from '@landfall/testkit';
import { expect } from 'vitest';
import { type PushParts, pushService } from './service.ts';
import { registration, sealer } from './values.testing.ts';

interface PushFixture extends Fixture {
  /** The data of the events that the service told, by their ids. */
  readonly told: Map<string, unknown>;
  /** Registers a device and returns its id. */
  register(from?: Partial<InputOf<typeof RegisterDevice>>): Promise<string>;
}

/** @param event the event that is kept in `told` */
export function pushSuite(
  name: string,
  { event, ...parts }: Partial<PushParts> & { event?: EventDef },
  tests: (fixture: PushFixture) => void,
): void {
  const told = new Map<string, unknown>();
  const service: HandlerSuiteOptions['service'] = (deps) => {
    told.clear();
    pushService({ ...deps, sealer, check: async () => null, wake() {}, ...parts });
    if (!event) return;
    deps.bus.listen('test', event, async (batch) => {
      for (const { data, context } of batch) told.set(context.id, data);
    });
  };
  handlerSuite(name, { service }, (fixture) => {
    const register: PushFixture['register'] = async (from) => {
      const answer = await fixture.bus.ask(RegisterDevice, registration(from));
      return answer.ok ? answer.reply.deviceId : expect.unreachable();
    };
    tests(Object.assign(fixture, { told, register }));
  });
}
