import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);

/** The search attributes of workflows. They are clear text in Temporal, so they hold only ids and enums. */
export const searchAttributes = {
  accountId: keyword('AccountId'),
  webhookId: keyword('WebhookId'),
  eventName: keyword('EventName'),
  variant: keyword('Variant'),
  deliveryStatus: keyword('DeliveryStatus'),
  contactId: keyword('ContactId'),
  flowId: keyword('FlowId'),
  /** Of a run that did not complete. */
  runStatus: keyword('RunStatus'),
} as const;

/** The names that a namespace must have registered, all of type Keyword. */
export const searchAttributeNames: readonly string[] = Object.values(searchAttributes).map(({ name }) => name);
