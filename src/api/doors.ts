import { Router, type RouterMiddleware } from '@koa/router';
import type { Config } from '../shared/platform/config.ts';
import { notFound, RequestError } from '../shared/errors.ts';
import type { Variant } from '../shared/facts/names.ts';
import type { Resource } from './resource.ts';
import type { ApiRouter, ApiState } from './http.ts';
import { sideOf } from './middleware/hosts.ts';
import type { Mount } from './openapi.ts';

type Step = RouterMiddleware<ApiState>;

/** What lies behind one kind of credential: its host and path, its guards, and the variants of webhooks that it reaches. */
export type Door = Omit<Mount, 'resources'> & {
  side: 'base' | 'api';
  guards: readonly Step[];
  variants: readonly Variant[];
  resources: readonly Resource[];
  /** Routers that stand in no document. */
  pages?: readonly ApiRouter[];
};

/**
 * Sends each request through the first door that fits its host and path. Where {api_url} has a host of its own, all of it is behind its door:
 * without a key nobody learns which paths there are. Throws `misdirected_request` on any other host.
 */
export const enterDoor = (config: Pick<Config, 'baseUrl' | 'apiUrl'>, doors: readonly Door[]): Step => {
  const findSide = sideOf(config);
  const entries = doors.map((door) => {
    const { prefix, guards, resources, pages = [] } = door;
    const routers = [...resources.map(({ router }) => router), ...pages];
    return { ...door, run: chain([reach(door), ...guards, ...routesOf({ prefix, routers })]) };
  });
  return async (ctx, next) => {
    const side = findSide(ctx);
    if (side === undefined)
      throw new RequestError(
        'misdirected_request',
        'Parley does not serve this host. Use BASE_URL or API_URL. A proxy must pass on the Host header.',
      );
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

/** Whether the escapes of a path are well-formed: others would be taken literally. */
const isReadable = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

/** The routers below their prefix. Another method on one of their paths is answered 405 with Allow. */
export const routesOf = ({ prefix, routers }: { prefix: string; routers: readonly ApiRouter[] }): Step[] => {
  const mounted = new Router<ApiState>({ prefix });
  for (const router of routers) mounted.use(router.routes());
  const refuseMethod: Step = async (ctx, next) => {
    if (!isReadable(ctx.path)) throw notFound('path');
    const layers = mounted.match(ctx.path, ctx.method).path;
    // A path that is spelled out is no id: GET /replays/preview is not the replay "preview".
    const spelt = layers.filter(({ paramNames }) => paramNames.length === 0);
    const methods = (spelt.length > 0 ? spelt : layers).flatMap((layer) => layer.methods);
    if (methods.length === 0 || methods.includes(ctx.method)) return next();
    ctx.set('Allow', [...new Set(methods)].join(', '));
    throw new RequestError('method_not_allowed', `${ctx.method} is not possible here.`);
  };
  return [refuseMethod, mounted.routes()];
};
