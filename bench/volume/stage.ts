import { connectDatabase } from '../../src/shared/platform/db/connect.ts';
import { workflowPerDelivery } from '../../src/shared/platform/config.ts';
import { createBareTarget } from '../bare-target.ts';
import { startFloor } from '../floor.ts';
import { untilIdle } from '../idle.ts';
import { runClosedLoop, runOpenLoop, type Run } from '../load.ts';
import { measure, type Measured } from '../measure.ts';
import { saturateFloor, type Saturated } from '../phases.ts';
import { partsOf, whole, type Ground, type Process } from '../servers.ts';
import { withTenth, type Target } from '../target.ts';

/** The modes of `WORKFLOW_PER_DELIVERY`, and what they are compared to. */
export const kinds = [...workflowPerDelivery, 'bare outbox'] as const;
export type Kind = (typeof kinds)[number];
export type Mode = (typeof workflowPerDelivery)[number];

export type Figures = Omit<Measured, 'ids'>;
type Load = { perSecond: number; seconds: number };

/** Each kind in a process and a database of its own, side by side. One is measured while the others are idle. */
export type Stage = {
  offer: (kind: Kind, load: Load) => Promise<Figures>;
  saturate: (kind: Kind, load: { outstanding: number; seconds: number }) => Promise<Figures>;
  saturateFloor: (seconds: number) => Promise<Saturated>;
  /** Which share of a mode's deliveries of this load have a workflow, as the log says. */
  offerAndCount: (mode: Mode, load: Load) => Promise<Figures & { withWorkflow: number }>;
  /** A ninth as much goes to an account with a receiver of its own at this path of the receiver, which is not measured. */
  offerBeside: (mode: Mode, path: string, load: Load) => Promise<Figures>;
};

export const openStage = async (ground: Ground): Promise<Stage> => {
  const { receiver } = ground;
  const processes = new Map<Kind, Process>();
  const temporals: Record<string, number> = {};
  const databases = new Map<Kind, ReturnType<typeof connectDatabase>>();
  const targets = new Map<Kind, Pick<Target, 'hand'>>();
  for (const kind of kinds) {
    const temporal = isMode(kind) ? await ground.addTemporal(kind) : undefined;
    if (temporal) temporals[temporalOf(kind)] = temporal.pid;
    const database = await ground.postgres.createDatabase(kind.replaceAll(/\W/g, '_'));
    databases.set(kind, connectDatabase(database, { max: 1 }));
    const started = await startKind(ground, kind, { database, temporalAddress: temporal?.address });
    processes.set(kind, started);
    targets.set(kind, await addTarget(ground, kind, started));
  }
  const floor = startFloor(ground.temporal.address);
  ground.defer(() => floor.stop());
  const parts = { ...partsOf(ground, Object.fromEntries(processes)), ...temporals, floor: floor.pid };

  const of = <Value>(all: Map<Kind, Value>, kind: Kind): Value => {
    const one = all.get(kind);
    if (!one) throw new Error(`${kind} was not started`);
    return one;
  };
  const figuresOf = async (work: () => Promise<Run>): Promise<Figures> => {
    const { ids: _, ...figures } = await measure(parts, work);
    await untilIdle([...processes].flatMap(([kind, started]) => (isMode(kind) ? [started.metricsUrl] : [])));
    return figures;
  };
  for (const db of databases.values()) ground.defer(() => db.end({ timeout: 1 }));

  return {
    offerAndCount: async (mode, load) => {
      const db = of(databases, mode);
      const [since] = await db<[{ at: Date }]>`select clock_timestamp() as at`;
      const figures = await figuresOf(() => runOpenLoop({ target: of(targets, mode), receiver }, load));
      const [counted] = await db<[{ withWorkflow: number }]>`
        select count(*) filter (where not without_workflow)::float8 / greatest(1, count(*)) as with_workflow
        from deliveries where created_at >= ${since.at}`;
      return { ...figures, ...counted };
    },
    offer: (kind, load) => figuresOf(() => runOpenLoop({ target: of(targets, kind), receiver }, load)),
    saturate: (kind, load) => figuresOf(() => runClosedLoop({ target: of(targets, kind), receiver }, load)),
    saturateFloor: (seconds) => saturateFloor({ floor, parts }, seconds),
    offerBeside: async (mode, path, load) => {
      const tenth = await ground.addTarget(of(processes, mode), { paths: [path] });
      const target = withTenth(of(targets, mode), tenth);
      const figures = await figuresOf(() => runOpenLoop({ target, receiver }, load));
      // Deleting it ends its retries.
      await tenth.call({ method: 'DELETE', path: `/v1/webhooks/${tenth.webhookIds[0]}`, status: 204 });
      return figures;
    },
  };
};

const isMode = (kind: Kind): kind is Mode => workflowPerDelivery.some((mode) => mode === kind);

/** The part that is a kind's Temporal. */
const temporalOf = (kind: Kind): string => `Temporal of ${kind}`;

/** What counts for a kind: its own process, PostgreSQL, and its Temporal. */
export const countedOf = (kind: Kind): string[] => [kind, 'postgres', ...(isMode(kind) ? [temporalOf(kind)] : [])];

const startKind = async (
  ground: Ground,
  kind: Kind,
  { database, temporalAddress }: { database: string; temporalAddress: string | undefined },
): Promise<Process> => {
  if (kind === 'bare outbox') return ground.startProcess(kind, { file: 'bench/bare-outbox.ts', database });
  const env = {
    WORKFLOW_PER_DELIVERY: kind,
    ...(temporalAddress !== undefined && { TEMPORAL_ADDRESS: temporalAddress }),
  };
  return ground.startProcess(kind, { file: whole, database, env });
};

const addTarget = async (ground: Ground, kind: Kind, started: Process): Promise<Pick<Target, 'hand'>> => {
  if (kind !== 'bare outbox') return ground.addTarget(started);
  const target = await createBareTarget(started);
  ground.defer(() => target.close());
  return target;
};
