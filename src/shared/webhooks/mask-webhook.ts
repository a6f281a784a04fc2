import { maskUrl } from '../platform/mask-url.ts';
import type { WebhookRow } from './schema.ts';

/** A webhook as an agent may see it: without tokens of its url, and without the body that its endpoint answered. */
export const maskWebhook = (row: WebhookRow): WebhookRow => ({
  ...row,
  url: maskUrl(row.url),
  pendingUrl: row.pendingUrl === null ? null : maskUrl(row.pendingUrl),
  lastCheck: row.lastCheck === null ? null : { ...row.lastCheck, url: maskUrl(row.lastCheck.url), excerpt: null },
});
