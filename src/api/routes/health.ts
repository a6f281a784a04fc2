import { statusByCode } from '../../shared/errors.ts';
import { showId } from '../../shared/ids.ts';
import { createRouter, type ApiDeps, type ApiRouter, type HealthReport } from '../http.ts';
import { showError } from '../middleware/errors.ts';

/** Everybody may ask, however often: the servers behind are asked at most once in this time. */
const freshMs = 500;

const askSeldom = (ask: () => Promise<HealthReport>): (() => Promise<HealthReport>) => {
  let latest: { report: Promise<HealthReport>; askedAt: number } | undefined;
  return () => {
    const now = performance.now();
    if (!latest || now - latest.askedAt >= freshMs) latest = { report: ask(), askedAt: now };
    return latest.report;
  };
};

/**
 * `/health/live`: this process answers. `/health/ready`: PostgreSQL, Temporal and the worker do too, and workflows can be started;
 * 503 when not; an orchestrator sends no requests here until then. It tells which process answers, by which `doctor` knows whose it is.
 */
export const healthRoutes = ({ health, processId }: Pick<ApiDeps, 'health' | 'processId'>): ApiRouter => {
  const router = createRouter();
  const look = askSeldom(health);
  const process = showId('process', processId);
  router.get('/health/live', async (ctx) => {
    ctx.body = { status: 'up' };
  });
  router.get('/health/ready', async (ctx) => {
    const report = await look();
    const down = Object.entries(report).flatMap(([part, state]) => (state === 'down' ? [part] : []));
    if (down.length === 0) {
      ctx.body = { status: 'up', process, ...report };
      return;
    }
    const refusal = { code: 'unavailable', message: `Down: ${down.join(', ')}.` } as const;
    ctx.status = statusByCode[refusal.code];
    ctx.body = { status: 'down', process, ...report, ...showError(refusal, ctx.state.requestId) };
  });
  return router;
};
