import { useMemo } from 'react';
import type { Schemas } from '../api/client.ts';
import { deliveryWords } from '../words/deliveries.ts';
import { useList } from './use-list.ts';

type Webhook = Schemas['DashboardWebhook'];

/** The account's webhooks, by which deliveries are named. */
export type Webhooks = {
  list: readonly Webhook[];
  /** A url without its scheme; undefined for one that is gone, or is not known yet. */
  nameOf: (id: string) => string | undefined;
  /** The same, and of one that is gone that it is; undefined while they are not known. */
  sayWebhook: (id: string) => string | undefined;
  isKnown: boolean;
};

/** An account has a hundred at most. */
const most = 200;

export const useWebhooks = (): Webhooks => {
  const { rows } = useList('/webhooks', { limit: most });
  return useMemo(() => {
    const byId = new Map(rows?.map((webhook) => [webhook.id, webhook]));
    const isKnown = rows !== undefined;
    const nameOf = (id: string): string | undefined => byId.get(id)?.url.replace(/^https?:\/\//i, '');
    return {
      list: rows ?? [],
      nameOf,
      sayWebhook: (id) => nameOf(id) ?? (isKnown ? deliveryWords.deletedWebhook : undefined),
      isKnown,
    };
  }, [rows]);
};
