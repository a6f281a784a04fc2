import type { Resource } from './resource.ts';
import type { ApiDeps } from './http.ts';
import { accountRoutes, accountSettingRoutes } from './routes/account.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { cannedReplyRoutes } from './routes/canned-replies.ts';
import { channelRoutes } from './routes/channels.ts';
import { contactRoutes } from './routes/contacts/contacts.ts';
import { conversationRoutes } from './routes/conversations.ts';
import { credentialRoutes } from './routes/credentials.ts';
import { customFieldRoutes } from './routes/custom-fields.ts';
import { deliveryRoutes } from './routes/deliveries/deliveries.ts';
import { draftRoutes } from './routes/drafts.ts';
import { eventTypeRoutes } from './routes/event-types.ts';
import { eventRoutes } from './routes/events.ts';
import { flowRoutes } from './routes/flows/flows.ts';
import { handoverMailRoutes, handoverRoutes } from './routes/handovers.ts';
import { inboxRoutes } from './routes/inbox.ts';
import { invitationRoutes } from './routes/invitations.ts';
import { mailedLinkRoutes } from './routes/mailed-links.ts';
import { mediaRoutes } from './routes/media.ts';
import { messageRoutes } from './routes/messages.ts';
import { notificationRoutes } from './routes/notifications.ts';
import { orderRoutes } from './routes/orders.ts';
import { overviewRoutes } from './routes/overview.ts';
import { passwordRoutes } from './routes/password.ts';
import { presenceRoutes } from './routes/presence.ts';
import { replayRoutes } from './routes/replays.ts';
import { retryRoutes } from './routes/retries.ts';
import { runRoutes } from './routes/runs/runs.ts';
import { statisticsRoutes } from './routes/statistics.ts';
import { tagRoutes } from './routes/tags.ts';
import { testEndpointRoutes } from './routes/test-endpoint.ts';
import { sessionRoutes } from './routes/session.ts';
import { streamRoutes } from './routes/stream.ts';
import { ownSessionRoutes } from './routes/sessions.ts';
import { userRoutes } from './routes/users.ts';
import { viewRoutes } from './routes/views.ts';
import { webhookSecretRoutes } from './routes/webhook-secret.ts';
import { dashboardWebhookRoutes, webhookRoutes } from './routes/webhooks/webhooks.ts';

/** Makes the operations of a resource, which says itself under which tag and behind which doors. */
export type MakeResource = (deps: ApiDeps) => Resource;

/** Everything that lies behind a door, in the order of the document. */
export const resources: readonly MakeResource[] = [
  webhookRoutes,
  sessionRoutes,
  streamRoutes,
  presenceRoutes,
  ownSessionRoutes,
  passwordRoutes,
  mailedLinkRoutes,
  userRoutes,
  invitationRoutes,
  viewRoutes,
  dashboardWebhookRoutes,
  webhookSecretRoutes,
  apiKeyRoutes,
  deliveryRoutes,
  eventRoutes,
  eventTypeRoutes,
  replayRoutes,
  overviewRoutes,
  statisticsRoutes,
  contactRoutes,
  tagRoutes,
  orderRoutes,
  customFieldRoutes,
  conversationRoutes,
  inboxRoutes,
  draftRoutes,
  cannedReplyRoutes,
  handoverRoutes,
  handoverMailRoutes,
  notificationRoutes,
  messageRoutes,
  mediaRoutes,
  runRoutes,
  retryRoutes,
  channelRoutes,
  credentialRoutes,
  flowRoutes,
  testEndpointRoutes,
  accountSettingRoutes,
  accountRoutes,
];
