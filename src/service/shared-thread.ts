import { Worker, type WorkerOptions } from '@temporalio/worker';

/**
 * The SDK guards each call into a workflow against endless loops, by a thread that it makes for the call. That costs more than most calls do, and no
 * workflow here loops over what users give.
 */
const unguarded = <Options extends object>(options: Options): Options =>
  Object.assign({}, options, { isolateExecutionTimeoutMs: undefined });

type Threads = Awaited<ReturnType<(typeof Worker)['createWorkflowCreator']>>;

/**
 * A class of workers that all run their workflows on one thread, which ends with the last of them. The SDK itself starts a thread for each worker,
 * of over 30 MB, and loads the bundle again in it.
 */
export const workersOnOneThread = (): Pick<typeof Worker, 'create'> => {
  let users = 0;
  let starting: Promise<Threads> | undefined;
  const leave = async (): Promise<void> => {
    users -= 1;
    if (users > 0) return;
    const thread = await starting?.catch(() => undefined);
    await thread?.destroy();
  };
  return class extends Worker {
    static override async create(options: WorkerOptions): Promise<Worker> {
      users += 1;
      try {
        return await super.create(options);
      } catch (error) {
        await leave();
        throw error;
      }
    }

    protected static override async createWorkflowCreator(
      ...[bundle, options, logger]: Parameters<(typeof Worker)['createWorkflowCreator']>
    ): Promise<Threads> {
      starting ??= super.createWorkflowCreator(bundle, unguarded(options), logger);
      const thread = await starting;
      return { createWorkflow: (options) => thread.createWorkflow(options), destroy: leave };
    }
  };
};
