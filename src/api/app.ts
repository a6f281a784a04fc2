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

import { accountRoutes } from './routes/account-me.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { channelRoutes } from './routes/channels.ts';
import { contactRoutes } from './routes/contacts.ts';
import { deliveryRoutes } from './routes/deliveries/log.ts';
import { deliveryAttemptsRoutes } from './routes/deliveries/attempts.ts';
import { deliveryRequestRoutes } from './routes/deliveries/actions.ts';
import { docsRoutes } from './routes/docs.ts';
import { healthRoutes } from './routes/health.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { passwordRoutes } from './routes/password.ts';
import { replayRoutes } from './routes/replays.ts';
import { sessionRoutes } from './routes/session.ts';
import { ownSessionRoutes } from './routes/sessions.ts';
import { testEventRoutes } from './routes/webhooks/test-event.ts';
import { webhookSecretRoutes } from './routes/webhook-secret.ts';
import { dashboardWebhookRoutes, webhookRoutes } from './routes/webhooks/webhooks.ts';

/** The HTTP application: everything that the two addresses serve; no server, and nothing started. */
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
  // On every host: whoever probes this process may know no more of it than its address.
  for (const step of routesOf({ prefix: '', routers: [healthRoutes(deps)] })) app.use(step);
  app.use(enterDoor(config, createDoors(deps)));
  app.on('error', (error: unknown) => log.warn({ err: error }, 'api.answer_broken_off'));
  return app;
};

/** Whose webhooks and deliveries lie behind /v1, and behind the dashboard. */
const variantA = { variants: ['api'] } as const;
const everyVariant = { variants: ['api', 'dashboard'] } as const;

const createDoors = (deps: ApiDeps): Door[] => {
  const { apiUrl, baseUrl, rateLimitPerMinute } = deps.config;
  const keyBudget = rateLimit(rateLimitPerMinute);
  const share = shareRequests();
  const doors: Door[] = [
    {
      side: 'api',
      url: apiUrl,
      prefix: '/v1',
      security: 'bearer',
      guards: [bearer(deps), keyBudget, share],
      routers: [
        webhookRoutes(deps),
        testEventRoutes(deps, variantA),
        deliveryRoutes(deps, variantA),
        deliveryAttemptsRoutes(deps, variantA),
        deliveryRequestRoutes(deps, variantA),
        replayRoutes(deps, variantA),
        contactRoutes(deps),
        channelRoutes(deps),
      ],
    },
    {
      side: 'base',
      url: baseUrl,
      prefix: '/api',
      security: 'accessToken',
      guards: [accessToken(deps), keyBudget, share],
      routers: [accountRoutes(deps)],
    },
    {
      side: 'base',
      url: baseUrl,
      prefix: '/dashboard/api',
      audience: 'Dashboard',
      security: 'session',
      guards: [session(deps, { signInPath: '/dashboard/api/session' }), rateLimit(rateLimitPerMinute), share],
      routers: [
        sessionRoutes(deps),
        ownSessionRoutes(deps),
        passwordRoutes(deps),
        dashboardWebhookRoutes(deps),
        webhookSecretRoutes(deps),
        apiKeyRoutes(deps),
        testEventRoutes(deps, everyVariant),
        deliveryRoutes(deps, everyVariant),
        deliveryAttemptsRoutes(deps, everyVariant),
        deliveryRequestRoutes(deps, everyVariant),
        replayRoutes(deps, everyVariant),
        contactRoutes(deps),
        channelRoutes(deps),
      ],
    },
  ];
  const open = { side: 'base', url: baseUrl, prefix: '', security: undefined, guards: [] } as const;
  return [...doors, { ...open, routers: [openApiRoutes(doors), docsRoutes(deps.config)] }];
};
