import { fillDomain, type Size } from '../domain/fill.ts';
import { readKnown, timePages, type Known } from '../domain/pages.ts';
import { readScans, scannedBetween } from '../domain/scans.ts';
import type { Measured } from '../measure.ts';
import { readMemory } from '../processes.ts';
import { partsOf, whole, type Ground, type Process } from '../servers.ts';
import { median, nowMs, type Quantiles } from '../statistics.ts';
import type { Target } from '../target.ts';
import { aim, ms, table } from '../text.ts';
import type { Options } from '../options.ts';
import { isLossless, offerTo, onNewGround, type Outcome } from './scenario.ts';

/** Of the accounts that are compared with the large one. */
const little: Size = { contacts: 1_000, messages: 5_000 };

/** Messages a second. One of ten is a new contact's. */
const perSecond = 50;

/** Rounds of all accounts in turn, because the speed of a machine varies. */
const turns = 3;

const kinds = ['much', 'beside it', 'alone'] as const;
type Kind = (typeof kinds)[number];
type Account = { ground: Ground; process: Process; target: Target; known: Known };
/** One turn of one account. */
type Look = { pages: Record<string, Quantiles>; inbound: Measured };

/**
 * Measures lists and inbound messages of three accounts in turn: one that has much, one with little in the same installation, and one with
 * little in an installation of its own.
 */
export const domain = onNewGround((shared, options, say) =>
  onNewGround((own) => compare({ shared, own }, options, say))(options, say),
);

const compare = async (
  { shared, own }: { shared: Ground; own: Ground },
  { seconds, contacts, messages }: Options,
  say: (line: string) => void,
): Promise<Outcome> => {
  const processes = { shared: await start(shared), own: await start(own) };
  say(`domain: writing ${contacts} contacts and ${messages} messages …`);
  const { result: much, ...filled } = await watchMemory(shared, () =>
    openAccount(shared, processes.shared, { contacts, messages }),
  );
  const accounts: Record<Kind, Account> = {
    much,
    'beside it': await openAccount(shared, processes.shared, little),
    alone: await openAccount(own, processes.own, little),
  };

  const { database } = shared.postgres;
  const before = await readScans(database);
  const looks: Record<Kind, Look[]> = { much: [], 'beside it': [], alone: [] };
  for (const kind of kinds) await measurerOf(accounts[kind]).warmUp(seconds);
  for (let turn = 1; turn <= turns; turn += 1) {
    for (const kind of kinds) {
      const { target, known } = accounts[kind];
      say(`domain: the account with ${said[kind]}, ${turn} of ${turns} …`);
      const inbound = await measurerOf(accounts[kind]).measured({ perSecond, seconds });
      const pages = await timePages(target, { known, times: 100, secondsEach: seconds });
      looks[kind].push({ inbound, pages });
    }
  }
  const scanned = scannedBetween(before, await readScans(database));
  return tell({ looks, filled, scanned, size: { contacts, messages } });
};

const said: Record<Kind, string> = {
  much: 'much',
  'beside it': 'little, beside it',
  alone: 'little, alone',
};

const start = (ground: Ground): Promise<Process> =>
  ground.startProcess('parley', {
    file: whole,
    database: ground.postgres.database,
    env: { WORKFLOW_PER_DELIVERY: 'on-failure' },
  });

/** An account that has so much. Its messages come from new contacts, and from those of `fillDomain` that have an open conversation. */
const openAccount = async (ground: Ground, process: Process, size: Size): Promise<Account> => {
  const target = await ground.addTarget(process, {
    senderOf: (handed) =>
      handed % 10 === 0 ? `new-${handed}` : `contact-${4 * Math.floor((Math.random() * size.contacts) / 4) + 1}`,
  });
  const { database } = ground.postgres;
  await fillDomain({ database, accountId: target.accountId, channelId: target.channelId, ...size });
  return { ground, process, target, known: await readKnown(database, target) };
};

const measurerOf = ({ ground, process, target }: Account) =>
  offerTo(ground, { target, parts: partsOf(ground, { parley: process }) });

type Filled = { seconds: number; postgresMb: number };

/** Does the work; answers how long that took, and the most memory that PostgreSQL had meanwhile. */
const watchMemory = async <Result>(
  ground: Ground,
  work: () => Promise<Result>,
): Promise<Filled & { result: Result }> => {
  let postgresMb = 0;
  const parts = { postgres: ground.postgres.pid };
  const look = (): void => {
    postgresMb = Math.max(postgresMb, readMemory(parts)['postgres']?.pssMb ?? 0);
  };
  const looking = setInterval(look, 1_000);
  const startMs = nowMs();
  try {
    const result = await work();
    look();
    return { result, seconds: (nowMs() - startMs) / 1000, postgresMb };
  } finally {
    clearInterval(looking);
  }
};

type Told = {
  looks: Record<Kind, Look[]>;
  filled: Filled;
  scanned: readonly string[];
  size: Size;
};

const tell = ({ looks, filled, scanned, size }: Told): Outcome => {
  const over = (kind: Kind, figure: (look: Look) => number): number => median(looks[kind].map(figure));
  const inbound = (kind: Kind): number => over(kind, (look) => look.inbound.answerMs.p95);
  const names = Object.keys(looks.much[0]?.pages ?? {});
  const p95 = (kind: Kind, page: string): number => over(kind, (look) => look.pages[page]?.p95 ?? Number.NaN);
  const slowest = names.reduce((worst, page) => (p95('much', page) > p95('much', worst) ? page : worst));
  const row = (title: string, quantilesOf: (look: Look) => Quantiles | undefined): string[] => [
    title,
    ...kinds.map((kind) =>
      (['p50', 'p95', 'p99'] as const)
        .map((name) => ms(over(kind, (look) => quantilesOf(look)?.[name] ?? Number.NaN)))
        .join(' / '),
    ),
  ];
  const ratio = (a: Kind, b: Kind): number => inbound(a) / inbound(b);
  return {
    title: `${size.contacts} contacts and ${size.messages} messages of an account; p50 / p95 / p99 ms, medians of ${turns} turns`,
    lines: [
      ...table(
        ['', ...kinds.map((kind) => said[kind])],
        [
          row(`message → 202, at ${perSecond}/s`, (look) => look.inbound.answerMs),
          ...names.map((page) => row(page, (look) => look.pages[page])),
        ],
      ),
      '',
      `  written in ${filled.seconds.toFixed(0)} s; PostgreSQL used up to ${filled.postgresMb.toFixed(0)} MB`,
    ],
    aims: [
      aim(p95('much', slowest) < 50, `every list p95 under 50 ms: ${ms(p95('much', slowest))} ms (${slowest})`),
      aim(
        ratio('much', 'alone') <= 1.3,
        `message → 202 p95 within 1.3 × of little: ${ratio('much', 'alone').toFixed(2)} ×`,
      ),
      aim(
        ratio('beside it', 'alone') <= 1.3,
        `the same of the account beside it: ${ratio('beside it', 'alone').toFixed(2)} ×`,
      ),
      aim(scanned.length === 0, `no large table is read through: ${scanned.join(', ') || 'none'}`),
    ],
    lossless: isLossless(...kinds.flatMap((kind) => looks[kind].map((look) => look.inbound))),
    figures: { looks, filled, scanned },
  };
};
