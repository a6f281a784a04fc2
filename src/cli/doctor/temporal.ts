import { Client, Connection, ScheduleNotFoundError } from '@temporalio/client';
import { canStartWorkflows } from '../../shared/platform/temporal/namespace.ts';
import { describeError } from '../failure.ts';
import { listMissingSearchAttributes } from '../../shared/platform/temporal/register-search-attributes.ts';
import { taskQueues } from '../../shared/platform/temporal/task-queues.ts';
import type { Environment } from '../command-deps.ts';
import { temporalOptions } from '../temporal.ts';
import { retentionSchedule } from '../../shared/retention/schedule.ts';
import { ok, warning, wrong, type Finding } from './finding.ts';

const part = 'Temporal';
const timeoutMs = 3_000;
/** `TaskQueueType` of Temporal's API. */
const taskTypes = { workflow: 1, activity: 2 } as const;

/** The server at `address`, else the one that the `TEMPORAL_…` variables name: version, namespace, attributes, workers. */
export const examineTemporal = async (env: Environment, address: string | undefined): Promise<Finding[]> => {
  const { options, namespace } = temporalOptions(env, address);
  let connection: Connection;
  try {
    connection = await Connection.connect(options);
  } catch (error) {
    const remedy = 'start the server, or correct TEMPORAL_ADDRESS and the other TEMPORAL_… settings';
    return [wrong(part, `${options.address ?? 'the server'} cannot be reached: ${describeError(error)}`, remedy)];
  }
  try {
    return await connection.withDeadline(Date.now() + timeoutMs, () =>
      examineServer(connection, { namespace, embedded: address !== undefined }),
    );
  } finally {
    await connection.close();
  }
};

const deprecated = (namespace: string): string =>
  `${namespace} is deprecated or being deleted, which cannot be undone: no workflow can start, and nothing is delivered`;
const restartEmbedded = 'restart the service (npm start): it creates a new Temporal and resumes all unfinished work';
const replaceNamespace =
  'create another namespace with the same search attributes, set TEMPORAL_NAMESPACE to it and restart every process: Parley resumes all unfinished work';

const examineServer = async (
  connection: Connection,
  { namespace, embedded }: { namespace: string; embedded: boolean },
): Promise<Finding[]> => {
  const { serverVersion } = await connection.workflowService.getSystemInfo({});
  const server = ok(part, `${connection.options.address}, server ${serverVersion}`);
  try {
    if (!(await canStartWorkflows({ connection, namespace })))
      return [server, wrong('Namespace', deprecated(namespace), embedded ? restartEmbedded : replaceNamespace)];
  } catch (error) {
    const remedy = `create it (temporal operator namespace create -n ${namespace}), or correct TEMPORAL_NAMESPACE`;
    return [server, wrong('Namespace', `${namespace}: ${describeError(error)}`, remedy)];
  }
  const missing = await listMissingSearchAttributes(connection, namespace);
  const attributes =
    missing.length === 0
      ? ok('Search attributes', `all registered in namespace ${namespace}`)
      : wrong(
          'Search attributes',
          `not registered in namespace ${namespace}: ${missing.join(', ')}; no workflow can start`,
          missing.map((name) => `temporal operator search-attribute create --name ${name} --type Keyword`).join('; '),
        );
  const queues = await Promise.all(
    Object.values(taskQueues).map((queue) => examineQueue(connection, namespace, queue)),
  );
  return [server, attributes, ...queues, await examineRetention(new Client({ connection, namespace }))];
};

const examineQueue = async (connection: Connection, namespace: string, queue: string): Promise<Finding> => {
  const counts = await Promise.all(
    Object.entries(taskTypes).map(async ([name, taskQueueType]) => {
      const taskQueue = { name: queue };
      const { pollers } = await connection.workflowService.describeTaskQueue({ namespace, taskQueue, taskQueueType });
      return { name, pollers: pollers?.length ?? 0 };
    }),
  );
  const idle = counts.filter(({ pollers }) => pollers === 0).map(({ name }) => name);
  return idle.length === 0
    ? ok('Workers', `a worker polls queue ${queue}`)
    : wrong(
        'Workers',
        `no worker polls queue ${queue} for ${idle.join(' and ')} tasks`,
        'start a worker: npm start, or npm run start:worker',
      );
};

/** Whether Temporal's schedule removes what is old. */
export const examineRetention = async (client: Client): Promise<Finding> => {
  try {
    const { state, info } = await client.schedule.getHandle(retentionSchedule).describe();
    if (!state.paused) return ok('Retention', `next run ${info.nextActionTimes[0]?.toISOString() ?? 'not planned'}`);
    const remedy = `temporal schedule toggle --schedule-id ${retentionSchedule} --unpause`;
    return warning('Retention', 'paused: Parley removes no old data', remedy);
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    const remedy = 'start a worker to create it; if workers may not, run parley retention run --days … once a day';
    return warning('Retention', `no schedule ${retentionSchedule}: Parley removes no old data`, remedy);
  }
};
