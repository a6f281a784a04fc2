import { Router, type RouterMiddleware } from '@koa/router';
import type { Config } from '../shared/platform/config.ts';
import { RequestError } from '../shared/errors.ts';
import type { Variant } from '../shared/events/names.ts';
import type { Resource } from './endpoint.ts';
import type { ApiRouter, ApiState } from './http.ts';
import { sideOf } from './middleware/hosts.ts';
import type { Mount } from './openapi.ts';

type Step = RouterMiddleware<ApiState>;

/** What lies behind one kind of credential: on which host, below which path, guarded by what, and whose webhooks are reached. */
export type Door = Omit<Mount, 'resources'> & {
  side: 'base' | 'api';
  guards: readonly Step[];
  variants: readonly Variant[];
  resources: readonly Resource[];
  /** What is served and stands in no document. */
  pages?: readonly ApiRouter[];
};

/**
 * Sends each request through the one door that its host and path lead to, the first that fits. Where {api_url} has a host
 * of its own, all of it is behind its door: who has no key does not learn which paths there are.
 */
export const enterDoor = (config: Pick<Config, 'baseUrl' | 'apiUrl'>, doors: readonly Door[]): Step => {
  const findSide = sideOf(config);
  const entries = doors.map((door) => {
    const { prefix, guards, resources, pages = [] } = door;
    const routers = [...resources.map(({ router }) => router), ...pages];
    return { ...door, run: chain([reach(door), ...guards, ...routesOf({ prefix, routers })]) };
  });
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

/** Tells the operations which webhooks and deliveries this door reaches. */
const reach =
  ({ variants }: Door): Step =>
  (ctx, next) => {
    ctx.state.variants = variants;
    return next();
  };

const isBelow = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

const chain =
  (steps: readonly Step[]): Step =>
  (ctx, next) =>
    steps.reduceRight<() => Promise<unknown>>((rest, step) => async () => step(ctx, rest), next)();

/** The routers below their prefix, and 405 with Allow for a path of theirs that is asked by another method. */
export const routesOf = ({ prefix, routers }: { prefix: string; routers: readonly ApiRouter[] }): Step[] => {
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
