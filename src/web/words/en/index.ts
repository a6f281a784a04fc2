import { account } from './account.ts';
import { apiKeys } from './api-keys.ts';
import { channels } from './channels.ts';
import { contact } from './contact.ts';
import { contacts } from './contacts.ts';
import { conversations } from './conversations.ts';
import { credentials } from './credentials.ts';
import { customFields } from './custom-fields.ts';
import { deliveries } from './deliveries.ts';
import { failures } from './failures.ts';
import { handovers } from './handovers.ts';
import { messages } from './messages.ts';
import { nav } from './nav.ts';
import { orders } from './orders.ts';
import { overview } from './overview.ts';
import { profile } from './profile.ts';
import { replays } from './replays.ts';
import { runStatus } from './run-status.ts';
import { runs } from './runs.ts';
import { session } from './session.ts';
import { shell } from './shell.ts';
import { tags } from './tags.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';

/** The words that several pages share, by noun. `words.ts` says which of them the first load has. */
export const en = {
  account,
  apiKeys,
  channels,
  contact,
  contacts,
  conversations,
  credentials,
  customFields,
  deliveries,
  failures,
  handovers,
  messages,
  nav,
  orders,
  overview,
  profile,
  replays,
  runStatus,
  runs,
  session,
  shell,
  tags,
  users,
  webhooks,
} as const;
