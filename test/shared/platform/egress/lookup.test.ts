import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLookup } from '../../../../src/shared/platform/egress/lookup.ts';
import { startNameServer, type NameServer, type Reply } from '../../../helpers/name-server.ts';
import { tempFolder } from '../../../helpers/temp-folder.ts';
import { anEgress, aReceiver, post } from './builders.ts';
import { byTheClock } from '../../../helpers/by-the-clock.ts';

const silent: Reply = { type: 'silent' };
const at = (...addresses: string[]): Reply => ({ type: 'addresses', addresses });

const aNameServer = async (reply: Parameters<typeof startNameServer>[0]): Promise<NameServer> => {
  const server = await startNameServer(reply);
  onTestFinished(() => server.close());
  return server;
};

/** The look-up's answer, and how long it took. */
const lookUp = async (name: string, reply: Parameters<typeof startNameServer>[0], timeoutMs = 5_000) => {
  const server = await aNameServer(reply);
  const startedMs = performance.now();
  const found = await createLookup({ servers: [server.address] })(name, AbortSignal.timeout(timeoutMs)).then(
    (addresses) => addresses.map(({ address }) => address),
    (error: NodeJS.ErrnoException) => error.code ?? 'rejected',
  );
  return { found, tookMs: performance.now() - startedMs, asked: server.asked };
};

describe('a name server', () => {
  test('is asked for both families, of the name as it is written', async () => {
    const { found, asked } = await lookUp('both.test', () => at('192.0.2.1', '192.0.2.2', '2001:db8::1'));
    expect(found).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    expect(asked.toSorted()).toEqual(['both.test A', 'both.test AAAA']);
    const single = await lookUp('single', () => at('192.0.2.1'));
    expect(single.asked.toSorted()).toEqual(['single A', 'single AAAA']);
  });

  test.each([
    ['A', '192.0.2.1'],
    ['AAAA', '2001:db8::1'],
  ])(
    'that answers %s and is silent about the other family is not waited for longer',
    byTheClock,
    async (answered, address) => {
      const { found, tookMs } = await lookUp('half.test', (_, type) => (type === answered ? at(address) : silent));
      expect(found).toEqual([address]);
      expect(tookMs).toBeGreaterThan(190);
      expect(tookMs).toBeLessThan(1_000);
    },
  );

  test('that knows no address of one family has the other one waited for', async () => {
    let askedAgain = false;
    const reply = (_: string, type: string): Reply => {
      if (type === 'A') return at();
      const first = !askedAgain;
      askedAgain = true;
      return first ? silent : at('2001:db8::1');
    };
    const { found, tookMs } = await lookUp('six.test', reply);
    expect(found).toEqual(['2001:db8::1']);
    expect(tookMs).toBeGreaterThan(500);
  });

  test(
    'that is silent is waited for no longer than the look-up may take, and both of its questions end',
    byTheClock,
    async () => {
      const { found, tookMs, asked } = await lookUp('silent.test', () => silent, 300);
      expect(found).toBe('ECANCELLED');
      expect(tookMs).toBeLessThan(900);
      expect(asked.toSorted()).toEqual(['silent.test A', 'silent.test AAAA']);
    },
  );

  test('that knows no such name, or no address of it, is believed', async () => {
    expect(await lookUp('no.test', () => ({ type: 'unknown' }))).toMatchObject({ found: 'ENOTFOUND' });
    expect(await lookUp('empty.test', () => at())).toMatchObject({ found: [] });
  });

  test('that says hundreds of addresses has sixteen of each family dialled at most', async () => {
    const many = Array.from({ length: 30 }, (_, i) => `192.0.2.${i}`);
    const { found } = await lookUp('many.test', () => at(...many));
    expect(found).toHaveLength(16);
  });

  test('that is silent for a delivery is a failure of the name within the time of the look-up', async () => {
    const { address } = await aNameServer(() => silent);
    const egress = anEgress({ lookup: createLookup({ servers: [address] }), lookupTimeoutMs: 100 });
    const exchange = await post(egress, 'https://silent.test/', { timeoutMs: 5_000 });
    expect(exchange).toMatchObject({ type: 'failed', reason: 'dns', message: expect.stringContaining('ETIMEOUT') });
  });
});

describe('a name that the machine knows by itself', () => {
  const nobody = () => aNameServer(() => ({ type: 'unknown' }));

  const lookUpWith = (text: string, server: NameServer) => {
    const hostsFile = join(tempFolder('hosts'), 'hosts');
    const lookup = createLookup({ servers: [server.address], hostsFile });
    const find = async (name: string) =>
      (await lookup(name, AbortSignal.timeout(5_000)).catch(() => [])).map(({ address }) => address);
    return { hostsFile, lookup, find, written: writeFile(hostsFile, text) };
  };

  test('comes from the hosts file in any case, and no name server is asked', async () => {
    const server = await nobody();
    const { find, written } = lookUpWith(
      '# 192.0.2.9 receiver.test\n\n192.0.2.1\tReceiver.test alias.test # alias2.test\n2001:db8::1 receiver.test\nnone broken.test\n',
      server,
    );
    await written;
    expect(await find('receiver.test')).toEqual(['192.0.2.1', '2001:db8::1']);
    expect(await find('ALIAS.test.')).toEqual(['192.0.2.1']);
    expect(server.asked).toEqual([]);
    expect(await find('alias2.test')).toEqual([]);
    expect(await find('broken.test')).toEqual([]);
    expect(server.asked).toContain('broken.test A');
  });

  test('is read again when the hosts file has changed, and known no more when that is gone', async () => {
    const server = await nobody();
    const { find, hostsFile, written } = lookUpWith('192.0.2.1 receiver.test\n', server);
    await written;
    expect(await find('later.test')).toEqual([]);
    await appendFile(hostsFile, '192.0.2.2 later.test\n');
    expect(await find('later.test')).toEqual(['192.0.2.2']);
    await writeFile(hostsFile, '');
    expect(await find('receiver.test')).toEqual([]);
  });

  test('is localhost and all below it, also without a hosts file', async () => {
    const server = await nobody();
    const lookup = createLookup({ servers: [server.address], hostsFile: '/nowhere/hosts' });
    for (const name of ['localhost', 'LOCALHOST.', 'a.localhost']) {
      const found = await lookup(name, AbortSignal.timeout(5_000));
      expect(found.map(({ address }) => address)).toEqual(['127.0.0.1', '::1']);
    }
    expect(server.asked).toEqual([]);
  });

  test('is dialled only where the guard lets it', async () => {
    const receiver = await aReceiver({ certificateFor: ['inside.test'] });
    const { lookup, written } = lookUpWith('127.0.0.1 inside.test\n', await nobody());
    await written;
    const url = receiver.url('/', 'inside.test');
    expect(await post(anEgress({ lookup }), url)).toMatchObject({ reason: 'refused_address' });
    expect(await post(anEgress({ lookup, allow: '127.0.0.0/8' }), url)).toMatchObject({ status: 200 });
  });
});

describe('look-ups of an account', () => {
  test('that hang leave places to the next account, which are asked for at once', byTheClock, async () => {
    const { address, asked } = await aNameServer((name) => (name.startsWith('silent') ? silent : at('127.0.0.1')));
    const lookup = createLookup({ servers: [address] });
    const egress = anEgress({ lookup, maxLookups: 20, lookupTimeoutMs: 1_000, allow: '127.0.0.0/8' });
    const names = Array.from({ length: 30 }, (_, i) => `https://silent-${i}.test/`);
    const checks = names.map((url) => egress.checkUrl({ url, accountId: 'attacker' }));
    expect(await egress.checkUrl({ url: 'https://well.test/', accountId: 'attacker' })).toMatchObject({
      ok: false,
      reason: 'busy',
    });
    expect(await post(egress, 'https://well.test/', { accountId: 'attacker' })).toMatchObject({ type: 'busy' });
    const startedMs = performance.now();
    expect(await egress.checkUrl({ url: 'https://well.test/', accountId: 'other' })).toEqual({ ok: true });
    expect(performance.now() - startedMs).toBeLessThan(500);

    const reasons = (await Promise.all(checks)).map((check) => !check.ok && check.reason);
    expect(reasons.filter((reason) => reason === 'dns')).toHaveLength(10);
    expect(reasons.filter((reason) => reason === 'busy')).toHaveLength(20);
    expect(new Set(asked.filter((question) => question.startsWith('silent'))).size).toBe(20);
    expect(await egress.checkUrl({ url: 'https://well.test/', accountId: 'attacker' })).toEqual({ ok: true });
  });
});
