import { statusByCode } from '../../shared/errors.ts';
import { createRouter, type ApiDeps, type ApiRouter } from '../http.ts';
import { showError } from '../middleware/errors.ts';

/**
 * `/health/live`: this process answers. `/health/ready`: PostgreSQL, Temporal and the worker do too, and workflows can be started;
 * 503 when not; an orchestrator sends no requests here until then.
 */
export const healthRoutes = ({ health }: Pick<ApiDeps, 'health'>): ApiRouter => {
  const router = createRouter();
  router.get('/health/live', async (ctx) => {
    ctx.body = { status: 'up' };
  });
  router.get('/health/ready', async (ctx) => {
    const report = await health();
    const down = Object.entries(report).flatMap(([part, state]) => (state === 'down' ? [part] : []));
    if (down.length === 0) {
      ctx.body = { status: 'up', ...report };
      return;
    }
    const refusal = { code: 'unavailable', message: `Down: ${down.join(', ')}.` } as const;
    ctx.status = statusByCode[refusal.code];
    ctx.body = { status: 'down', ...report, ...showError(refusal, ctx.state.requestId) };
  });
  return router;
};
