import Koa from 'koa';
import { enterDoor, routesOf, type Door } from './doors.ts';
import type { ApiDeps, ApiState } from './http.ts';
import { clientAddress } from './middleware/client-address.ts';
import { accessToken, bearer, session } from './middleware/credentials.ts';
import { errors } from './middleware/errors.ts';
import { rateLimit } from './middleware/rate-limit.ts';
import { accessLog, requestId } from './middleware/requests.ts';
import { observe } from './middleware/observe.ts';
import { checkHead } from './middleware/request-head.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { shareRequests } from './middleware/share-requests.ts';

import { accountRoutes, accountSettingRoutes } from './routes/account.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { channelRoutes } from './routes/channels.ts';
import { contactRoutes } from './routes/contacts.ts';
import { conversationRoutes } from './routes/conversations.ts';
import { credentialRoutes } from './routes/credentials.ts';
import { customFieldRoutes } from './routes/custom-fields.ts';
import { deliveryRoutes } from './routes/deliveries/deliveries.ts';
import { docsRoutes } from './routes/docs.ts';
import { eventRoutes } from './routes/events.ts';
import { flowRoutes } from './routes/flows/flows.ts';
import { healthRoutes } from './routes/health.ts';
import { messageRoutes } from './routes/messages.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { orderRoutes } from './routes/orders.ts';
import { passwordRoutes } from './routes/password.ts';
import { replayRoutes } from './routes/replays.ts';
import { runRoutes } from './routes/runs.ts';
import { tagRoutes } from './routes/tags.ts';
import { schemaRoutes } from './routes/schemas.ts';
import { sessionRoutes } from './routes/session.ts';
import { ownSessionRoutes } from './routes/sessions.ts';
import { userRoutes } from './routes/users.ts';
import { webhookSecretRoutes } from './routes/webhook-secret.ts';
import { dashboardWebhookRoutes, webhookRoutes } from './routes/webhooks/webhooks.ts';

/** Makes the HTTP application: everything that the two addresses serve. It starts nothing. */
export const createApp = (deps: ApiDeps): Koa<ApiState> => {
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
  app.use(enterDoor(config, createDoors(deps)));
  app.on('error', (error: unknown) => log.warn({ err: error }, 'api.answer_broken_off'));
  return app;
};

const createDoors = (deps: ApiDeps): Door[] => {
  const { apiUrl, baseUrl, rateLimitPerMinute } = deps.config;
  const keyBudget = rateLimit(rateLimitPerMinute);
  const share = shareRequests();
  /** Made once, and mounted behind both doors that have them. */
  const messaging = [
    deliveryRoutes(deps),
    eventRoutes(deps),
    replayRoutes(deps),
    contactRoutes(deps),
    tagRoutes(deps),
    orderRoutes(deps),
    customFieldRoutes(deps),
    conversationRoutes(deps),
    messageRoutes(deps),
    runRoutes(deps),
    channelRoutes(deps),
    credentialRoutes(deps),
    flowRoutes(deps),
    accountSettingRoutes(deps),
  ];
  const doors: Door[] = [
    {
      side: 'api',
      url: apiUrl,
      prefix: '/v1',
      security: 'bearer',
      guards: [bearer(deps), keyBudget, share],
      variants: ['api'],
      resources: [webhookRoutes(deps), ...messaging],
    },
    {
      side: 'base',
      url: baseUrl,
      prefix: '/api',
      security: 'accessToken',
      guards: [accessToken(deps), keyBudget, share],
      variants: [],
      resources: [accountRoutes(deps)],
    },
    {
      side: 'base',
      url: baseUrl,
      prefix: '/dashboard/api',
      audience: 'Dashboard',
      security: 'session',
      guards: [session(deps, { signInPath: '/dashboard/api/session' }), rateLimit(rateLimitPerMinute), share],
      variants: ['api', 'dashboard'],
      resources: [
        sessionRoutes(deps),
        ownSessionRoutes(deps),
        passwordRoutes(deps),
        userRoutes(deps),
        dashboardWebhookRoutes(deps),
        webhookSecretRoutes(deps),
        apiKeyRoutes(deps),
        ...messaging,
      ],
    },
  ];
  const pages = [openApiRoutes(doors), docsRoutes(deps.config), schemaRoutes(deps.config)];
  return [
    ...doors,
    { side: 'base', url: baseUrl, prefix: '', security: undefined, guards: [], variants: [], resources: [], pages },
  ];
};
