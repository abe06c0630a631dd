// Somebody at an address who asks for the links that others tapped there, and lies about the install.
import { freshIp, IPHONE } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { linksOf, newDevice, systemOfFile } from '../calls.ts';

const VICTIMS = 4;

const { system, calls } = await systemOfFile({ RATE_LIMITS: 'restore=10000,heartbeat=10000,create-link=10000' });
const app = await system.makeApp();

const lie = { installedSecondsAgo: 0, platform: 'ios' };
const ask = async (ip: string, body: object) => linksOf(await calls.restore(app, body, { ip }));

/** Returns how many links the thief and the people get. Each taps, installs the app, and starts it 30 s later. */
async function robbed(addressOf: (n: number) => string, steal: (ip: string) => Promise<string[]>) {
  let [stolen, own] = [0, 0];
  for (let n = 0; n < VICTIMS; n++) {
    const ip = addressOf(n);
    for (let poll = 0; poll < 5; poll++) {
      stolen += (await steal(ip)).length;
      system.clock.advance({ seconds: 3 });
    }
    const link = await system.makeLink(app);
    await calls.tap(link.url, { ip, userAgent: IPHONE });
    for (let poll = 0; poll < 6; poll++) {
      system.clock.advance({ seconds: 5 });
      stolen += (await steal(ip)).length;
    }
    const victim = { ...newDevice().body, platform: 'ios', installedSecondsAgo: 5 };
    await calls.heartbeat(app, victim, { ip });
    own += (await ask(ip, victim)).filter((id) => id === link.id).length;
    system.clock.advance({ minutes: 4 });
  }
  return { stolen, own };
}

const nobody = async () => [];

describe('a thief who says that the app was just installed', () => {
  it('gets nothing with one fingerprint at one address, and everybody gets their link', async () => {
    const ip = freshIp();
    const { body } = newDevice();
    expect(
      await robbed(
        () => ip,
        () => ask(ip, { ...body, ...lie }),
      ),
    ).toEqual({ stolen: 0, own: VICTIMS });
  });

  it('gets nothing with one fingerprint at many addresses', async () => {
    const { body } = newDevice();
    const all = await robbed(freshIp, (ip) => ask(ip, { ...body, ...lie }));
    expect(all).toEqual({ stolen: 0, own: VICTIMS });
  });

  it('gets nothing with a new fingerprint for each question: nobody does', async () => {
    const ip = freshIp();
    const { stolen } = await robbed(
      () => ip,
      () => ask(ip, { ...newDevice().body, ...lie }),
    );
    expect(stolen).toBe(0);
  });

  it('gets nothing with both platforms in turn', async () => {
    const ip = freshIp();
    const { body } = newDevice();
    let n = 0;
    const both = () => ask(ip, { ...body, ...lie, platform: ['ios', 'android'][n++ % 2] });
    expect(await robbed(() => ip, both)).toEqual({ stolen: 0, own: VICTIMS });
  });
});

it('without a thief, everybody at the address gets their link', async () => {
  const ip = freshIp();
  expect(await robbed(() => ip, nobody)).toEqual({ stolen: 0, own: VICTIMS });
});
