import { Router, type RouterMiddleware } from '@koa/router';
import type { Config } from '../shared/platform/config.ts';
import { RequestError } from '../shared/errors.ts';
import type { ApiRouter, ApiState } from './http.ts';
import { sideOf } from './middleware/hosts.ts';
import type { Mount } from './openapi.ts';

type Step = RouterMiddleware<ApiState>;

/** What lies behind one kind of credential: on which host, below which path, guarded by what. */
export type Door = Mount & { side: 'base' | 'api'; guards: readonly Step[]; routers: readonly ApiRouter[] };

/**
 * Sends each request through the one door that its host and path lead to, the first that fits. Where {api_url} has a host
 * of its own, all of it is behind its door: who has no key does not learn which paths there are.
 */
export const enterDoor = (config: Pick<Config, 'baseUrl' | 'apiUrl'>, doors: readonly Door[]): Step => {
  const findSide = sideOf(config);
  const entries = doors.map((door) => ({ ...door, run: chain([...door.guards, ...routesOf(door)]) }));
  return async (ctx, next) => {
    const side = findSide(ctx.host);
    const found = entries.find(
      (door) =>
        (side === 'api' && door.side === 'api') ||
        ((side === 'both' || side === door.side) && isBelow(ctx.path, door.prefix)),
    );
    await (found ? found.run(ctx, next) : next());
  };
};

const isBelow = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

const chain =
  (steps: readonly Step[]): Step =>
  (ctx, next) =>
    steps.reduceRight<() => Promise<unknown>>((rest, step) => async () => step(ctx, rest), next)();

/** The routers below their prefix, and 405 with Allow for a path of theirs that is asked by another method. */
export const routesOf = ({ prefix, routers }: Pick<Door, 'prefix' | 'routers'>): Step[] => {
  const mounted = new Router<ApiState>({ prefix });
  for (const router of routers) mounted.use(router.routes());
  const refuseMethod: Step = async (ctx, next) => {
    const layers = mounted.match(ctx.path, ctx.method).path;
    // A path that is spelt out is no id: GET /replays/preview is not the replay "preview".
    const spelt = layers.filter(({ paramNames }) => paramNames.length === 0);
    const methods = (spelt.length > 0 ? spelt : layers).flatMap((layer) => layer.methods);
    if (methods.length === 0 || methods.includes(ctx.method)) return next();
    ctx.set('Allow', [...new Set(methods)].join(', '));
    throw new RequestError('method_not_allowed', `${ctx.method} is not possible here.`);
  };
  return [refuseMethod, mounted.routes()];
};
