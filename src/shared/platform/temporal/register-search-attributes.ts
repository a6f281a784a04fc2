import type { ConnectionLike } from '@temporalio/client';
import { searchAttributeNames } from './search-attributes.ts';

/** INDEXED_VALUE_TYPE_KEYWORD of Temporal's API. */
const keyword = 2;

type Operator = Pick<ConnectionLike, 'operatorService'>;

/**
 * Registers the search attributes that the namespace lacks; without them no workflow starts. Rejects where that is not allowed, as on Temporal
 * Cloud, where an operator adds them by hand.
 */
export const registerSearchAttributes = async (connection: Operator, namespace: string): Promise<void> => {
  const missing = await listMissingSearchAttributes(connection, namespace);
  if (missing.length > 0) await addSearchAttributes(connection, namespace, missing);
};

/** The names of the search attributes that the namespace lacks. */
export const listMissingSearchAttributes = async (
  { operatorService }: Operator,
  namespace: string,
): Promise<readonly string[]> => {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  return searchAttributeNames.filter((name) => !(name in customAttributes));
};

/** Adds Keyword search attributes to the namespace. Fails when one exists already. */
export const addSearchAttributes = async (
  { operatorService }: Operator,
  namespace: string,
  names: readonly string[],
): Promise<void> => {
  await operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(names.map((name) => [name, keyword])),
  });
};
