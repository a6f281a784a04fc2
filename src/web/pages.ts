import type { ComponentType } from 'react';
import {
  IconAddressBook,
  IconBolt,
  IconBuilding,
  IconForms,
  IconHome,
  IconInbox,
  IconKey,
  IconLock,
  IconMessage2Bolt,
  IconMessages,
  IconPlayerPlay,
  IconPlug,
  IconRefresh,
  IconRepeat,
  IconRoute,
  IconSend,
  IconShoppingBag,
  IconTag,
  IconTestPipe,
  IconUser,
  IconUserQuestion,
  IconUsers,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react';
import type { Role } from './api/session.ts';
import type { NavWords } from './words/nav.ts';

type Loaded = { Page: ComponentType };

/** A page: its path, and what it is made of, which a browser loads when it is opened. */
export type PageEntry = {
  path: string;
  /** A parameter that may stand behind its path: the page stays, and shows what that names. */
  shows?: ':id';
  load: () => Promise<Loaded>;
  /** The least role that it is shown to; agent when not given. */
  role?: Role;
  /** What the installation must have for its line in the navigation. */
  needs?: 'test_endpoint';
  /** Its line in the navigation. A page below another has none. */
  nav?: NavLine & {
    section: Section;
    /** The least role that the line is shown to, where that differs from the page's. */
    role?: Role;
    /** Whether it stands under the line before it. */
    isBelow?: true;
    /** Lines under it that show the page with these filters. */
    views?: readonly (NavLine & { filters: Readonly<Record<string, string>> })[];
  };
};

/** What a line of the navigation says, and its icon. */
export type NavLine = { words: NavWords; icon: Icon };

/** The groups of the navigation, in order. */
export type Section = 'work' | 'developers' | 'settings';

/** The pages that are open to anyone, most of them from links in mails. */
export const openPages: readonly PageEntry[] = [
  { path: '/sign-in', load: () => import('./pages/session/sign-in.tsx') },
  { path: '/forgotten-password', load: () => import('./pages/session/forgotten-password.tsx') },
  { path: '/reset-password', load: () => import('./pages/session/reset-password.tsx') },
  { path: '/invitation', load: () => import('./pages/session/invitation.tsx') },
];

/** The pages of who is signed in, in the order of the navigation. */
export const pages: readonly PageEntry[] = [
  {
    path: '/',
    load: () => import('./pages/overview/overview.tsx'),
    // Agents begin with the conversations.
    nav: { section: 'work', words: 'overview', icon: IconHome, role: 'editor' },
  },
  {
    path: '/inbox',
    shows: ':id',
    load: () => import('./pages/inbox/inbox.tsx'),
    nav: { section: 'work', words: 'inbox', icon: IconInbox },
  },
  {
    path: '/conversations',
    load: () => import('./pages/conversations/conversations.tsx'),
    nav: {
      section: 'work',
      words: 'conversations',
      icon: IconMessages,
      isBelow: true,
      views: [{ words: 'handovers', icon: IconUserQuestion, filters: { state: 'handover' } }],
    },
  },
  // Mails of earlier versions lead to it.
  { path: '/conversations/:id', load: () => import('./pages/conversations/to-inbox.tsx') },
  {
    path: '/contacts',
    load: () => import('./pages/contacts/contacts.tsx'),
    nav: { section: 'work', words: 'contacts', icon: IconAddressBook },
  },
  { path: '/contacts/:id', load: () => import('./pages/contacts/contact/contact.tsx') },
  {
    path: '/flows',
    load: () => import('./pages/flows/flows.tsx'),
    nav: { section: 'work', words: 'flows', icon: IconRoute },
  },
  { path: '/flows/:id', load: () => import('./pages/flows/flow.tsx') },
  { path: '/flows/:id/versions/:version', load: () => import('./pages/flows/version.tsx') },
  {
    path: '/runs',
    load: () => import('./pages/runs/runs.tsx'),
    nav: { section: 'work', words: 'runs', icon: IconPlayerPlay, isBelow: true },
  },
  { path: '/runs/:id', load: () => import('./pages/runs/run.tsx') },
  {
    path: '/orders',
    load: () => import('./pages/orders/orders.tsx'),
    nav: { section: 'work', words: 'orders', icon: IconShoppingBag },
  },
  { path: '/orders/:id', load: () => import('./pages/orders/order.tsx') },
  {
    path: '/settings/webhooks',
    load: () => import('./pages/webhooks/webhooks.tsx'),
    role: 'editor',
    nav: { section: 'developers', words: 'webhooks', icon: IconWebhook },
  },
  { path: '/settings/webhooks/:id', load: () => import('./pages/webhooks/webhook.tsx'), role: 'editor' },
  {
    path: '/settings/logs/delivery',
    load: () => import('./pages/deliveries/delivery-log.tsx'),
    nav: { section: 'developers', words: 'deliveries', icon: IconSend },
  },
  { path: '/settings/logs/delivery/:id', load: () => import('./pages/deliveries/delivery.tsx') },
  {
    path: '/settings/logs/events',
    load: () => import('./pages/events/events.tsx'),
    nav: { section: 'developers', words: 'events', icon: IconBolt },
  },
  { path: '/settings/logs/events/:id', load: () => import('./pages/events/event.tsx') },
  {
    path: '/settings/logs/replays',
    load: () => import('./pages/replays/replays.tsx'),
    nav: { section: 'developers', words: 'replays', icon: IconRepeat },
  },
  { path: '/settings/logs/replays/:id', load: () => import('./pages/replays/replay.tsx') },
  {
    path: '/settings/logs/retries',
    load: () => import('./pages/retries/retries.tsx'),
    nav: { section: 'developers', words: 'retries', icon: IconRefresh },
  },
  { path: '/settings/logs/retries/:id', load: () => import('./pages/retries/retry.tsx') },
  {
    path: '/settings/api',
    load: () => import('./pages/api-keys/api-keys.tsx'),
    role: 'owner',
    nav: { section: 'developers', words: 'apiKeys', icon: IconKey },
  },
  {
    path: '/settings/test-endpoint',
    load: () => import('./pages/test-endpoint/test-endpoint.tsx'),
    role: 'editor',
    needs: 'test_endpoint',
    nav: { section: 'developers', words: 'testEndpoint', icon: IconTestPipe },
  },
  { path: '/first-steps', load: () => import('./pages/test-endpoint/first-steps.tsx'), role: 'editor' },
  { path: '/settings', load: () => import('./pages/settings/settings.tsx') },
  {
    path: '/settings/account',
    load: () => import('./pages/account/account.tsx'),
    role: 'editor',
    nav: { section: 'settings', words: 'account', icon: IconBuilding },
  },
  {
    path: '/settings/users',
    load: () => import('./pages/users/users.tsx'),
    nav: { section: 'settings', words: 'users', icon: IconUsers },
  },
  {
    path: '/settings/channels',
    load: () => import('./pages/channels/channels.tsx'),
    nav: { section: 'settings', words: 'channels', icon: IconPlug },
  },
  { path: '/settings/channels/:id', load: () => import('./pages/channels/channel.tsx') },
  {
    path: '/settings/canned-replies',
    load: () => import('./pages/canned-replies/canned-replies.tsx'),
    nav: { section: 'settings', words: 'cannedReplies', icon: IconMessage2Bolt },
  },
  {
    path: '/settings/tags',
    load: () => import('./pages/tags/tags.tsx'),
    nav: { section: 'settings', words: 'tags', icon: IconTag },
  },
  {
    path: '/settings/custom-fields',
    load: () => import('./pages/custom-fields/custom-fields.tsx'),
    nav: { section: 'settings', words: 'customFields', icon: IconForms },
  },
  {
    path: '/settings/credentials',
    load: () => import('./pages/credentials/credentials.tsx'),
    role: 'editor',
    nav: { section: 'settings', words: 'credentials', icon: IconLock },
  },
  {
    path: '/profile',
    load: () => import('./pages/profile/profile.tsx'),
    nav: { section: 'settings', words: 'profile', icon: IconUser },
  },
];
