import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);

/** What operators search workflows by. Clear text in Temporal: ids and enums only. */
export const searchAttributes = {
  accountId: keyword('AccountId'),
  webhookId: keyword('WebhookId'),
  eventName: keyword('EventName'),
  variant: keyword('Variant'),
  deliveryStatus: keyword('DeliveryStatus'),
  contactId: keyword('ContactId'),
  flowId: keyword('FlowId'),
} as const;

/** Their names, as a namespace must have them registered, all of type Keyword. */
export const searchAttributeNames: readonly string[] = Object.values(searchAttributes).map(({ name }) => name);
