import { notificationSettings } from '../../shared/notifications/schema.ts';
import { sendTestMail } from '../../shared/notifications/send-test-mail.ts';
import {
  findNotificationSettings,
  mailedUsersAtMost,
  setNotificationSettings,
} from '../../shared/notifications/settings.ts';
import { endpoint } from '../endpoint.ts';
import type { ApiDeps } from '../http.ts';
import { createResource, type Resource } from '../resource.ts';
import { requireUser } from '../roles.ts';
import { createTryBudget, takeTry } from '../try-budget.ts';

/** The most mails that a user may try in a time. */
const testMails = { tries: 5, windowSeconds: 10 * 60 };

/** How the signed-in user hears of conversations that wait for an agent. */
export const notificationRoutes = (deps: ApiDeps): Resource => {
  const notifications = createResource(deps, {
    tag: { name: 'Notifications', description: 'How users hear of conversations that wait for an agent.' },
    doors: ['dashboard'],
  });
  addSettings(notifications, deps);
  addTestMail(notifications);
  return notifications;
};

const addSettings = (notifications: Resource, deps: ApiDeps): void => {
  endpoint(
    notifications,
    {
      id: 'getNotificationSettings',
      method: 'get',
      path: '/notification-settings',
      summary: 'Read your notification settings',
      role: 'agent',
      answers: { 200: notificationSettings },
    },
    ({ principal }) => findNotificationSettings(deps.db, requireUser(principal).userId),
  );
  endpoint(
    notifications,
    {
      id: 'changeNotificationSettings',
      method: 'put',
      path: '/notification-settings',
      summary: 'Change your notification settings',
      description: `Conversations of the bot never notify. At most ${mailedUsersAtMost} users of an account get mails.`,
      role: 'agent',
      body: notificationSettings,
      answers: { 200: notificationSettings },
      refusals: { 409: `${mailedUsersAtMost} users get mails already.` },
    },
    async ({ principal, body: settings }) => {
      const { accountId } = principal;
      const { userId } = requireUser(principal);
      await deps.transact((tx) => setNotificationSettings(tx, { accountId, userId, settings }));
      return settings;
    },
  );
};

const addTestMail = (notifications: Resource): void => {
  const budget = createTryBudget(testMails);
  endpoint(
    notifications,
    {
      id: 'sendTestMail',
      method: 'post',
      path: '/notification-settings/test-mail',
      summary: 'Send yourself a test mail',
      description: `At most ${testMails.tries} in ${testMails.windowSeconds / 60} minutes.`,
      role: 'agent',
      idempotent: true,
      answers: { 204: null },
    },
    async ({ ctx, tx, principal }) => {
      const { accountId } = principal;
      const { userId } = requireUser(principal);
      takeTry(ctx, budget, userId, 'You have sent several test mails already. Try again later.');
      await sendTestMail(tx, { accountId, userId });
    },
  );
};
