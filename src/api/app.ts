import Koa from 'koa';
import { enterDoor, routesOf, type Door } from './doors.ts';
import type { DoorName } from './resource.ts';
import type { ApiDeps, ApiState } from './http.ts';
import { clientAddress } from './middleware/client-address.ts';
import { accessToken, bearer, session } from './middleware/credentials.ts';
import { mediaDoor } from './media-downloads.ts';
import { unsubscribeDoor } from './unsubscribe.ts';
import { errors } from './middleware/errors.ts';
import { largeBodies } from './middleware/large-bodies.ts';
import { rateLimit } from './middleware/rate-limit.ts';
import { accessLog, requestId } from './middleware/requests.ts';
import { observe } from './middleware/observe.ts';
import { checkHead } from './middleware/request-head.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { shareRequests, shareVisits } from './middleware/share-requests.ts';
import { resources, type MakeResource } from './resources.ts';
import { docsRoutes } from './routes/docs.ts';
import { healthRoutes } from './routes/health.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { dashboardPages } from './routes/pages.ts';
import { publicDoors } from './routes/public-inbound.ts';
import { schemaRoutes } from './routes/schemas.ts';
import { webchatDoor } from './webchat/routes.ts';

/** Makes the HTTP application: everything that the two addresses serve. It starts nothing. */
export const createApp = (deps: ApiDeps, makers: readonly MakeResource[] = resources): Koa<ApiState> => {
  const { config, log } = deps;
  const app = new Koa<ApiState>();
  app.use(requestId());
  app.use(securityHeaders({ https: config.baseUrl.startsWith('https:') }));
  app.use(checkHead());
  app.use(clientAddress(config));
  app.use(observe(deps));
  app.use(accessLog(log));
  app.use(errors(log));
  // On every host: a prober may know only the address of this process.
  for (const step of routesOf({ prefix: '', routers: [healthRoutes(deps)] })) app.use(step);
  app.use(enterDoor(config, createDoors(deps, makers)));
  app.use(dashboardPages(config));
  app.on('error', (error: unknown) => log.warn({ err: error }, 'api.answer_broken_off'));
  return app;
};

/** The doors to these resources, and to the pages. */
export const createDoors = (deps: ApiDeps, makers: readonly MakeResource[]): Door[] => {
  const { apiUrl, baseUrl, rateLimitPerMinute } = deps.config;
  const keyBudget = rateLimit(rateLimitPerMinute);
  const share = shareRequests();
  const shareOfVisits = shareVisits();
  const parseSlots = largeBodies();
  // Each is made once, and mounted behind every door that it names.
  const made = makers.map((make) => make(deps));
  const behind = (door: DoorName) => made.filter(({ doors }) => doors.includes(door));
  const doors: Door[] = [
    {
      side: 'api',
      url: apiUrl,
      prefix: '/v1',
      security: 'bearer',
      guards: [bearer(deps), keyBudget, share, parseSlots],
      variants: ['api'],
      resources: behind('v1'),
    },
    {
      side: 'base',
      url: baseUrl,
      prefix: '/api',
      security: 'accessToken',
      guards: [accessToken(deps), keyBudget, share, parseSlots],
      variants: [],
      resources: behind('api'),
    },
    {
      side: 'base',
      url: baseUrl,
      prefix: '/dashboard/api',
      audience: 'Dashboard',
      security: 'session',
      guards: [
        session(deps, { prefix: '/dashboard/api', resources: behind('dashboard') }),
        rateLimit(rateLimitPerMinute),
        share,
        parseSlots,
      ],
      variants: ['api', 'dashboard'],
      resources: behind('dashboard'),
    },
  ];
  const pages = [openApiRoutes(doors), docsRoutes(deps.config), schemaRoutes(deps.config)];
  return [
    ...doors,
    ...publicDoors(deps, share),
    webchatDoor(deps, shareOfVisits),
    mediaDoor(deps, shareOfVisits),
    unsubscribeDoor(deps, shareOfVisits),
    { side: 'base', url: baseUrl, prefix: '', security: undefined, guards: [], variants: [], resources: [], pages },
  ];
};
