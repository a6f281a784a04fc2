import type { WorkflowClientInterceptor, WorkflowStartInput } from '@temporalio/client';
import { searchAttributes } from '../shared/platform/temporal/search-attributes.ts';

type Options = WorkflowStartInput['options'];

/** The pages of what workflows carry, by the noun with which their ids begin. */
const pages: Readonly<Record<string, string>> = {
  delivery: '/settings/logs/delivery/',
  run: '/runs/',
  replay: '/settings/logs/replays/',
  retry: '/settings/logs/retries/',
};

/** The path of a workflow's page: of its row, else of its contact. Undefined where there is neither. */
const pathOf = (workflowId: string, attributes: Options['typedSearchAttributes']): string | undefined => {
  const [noun = '', id = ''] = workflowId.split('/');
  const page = pages[noun];
  if (page !== undefined) return page + id;
  const contact =
    Array.isArray(attributes) && attributes.find(({ key }) => key.name === searchAttributes.contactId.name);
  return contact ? `/contacts/${String(contact.value)}` : undefined;
};

/** Has each workflow show a link to its page in Temporal's UI. It holds an id, and nothing private. */
export const linkToPages = (baseUrl: string): WorkflowClientInterceptor => {
  const withLink = <Input extends { options: Options }>(input: Input): Input => {
    const { options } = input;
    const path = pathOf(options.workflowId, options.typedSearchAttributes);
    if (path === undefined) return input;
    return { ...input, options: { ...options, staticDetails: `[Open in Parley](${baseUrl}${path})` } };
  };
  return {
    startWithDetails: (input, next) => next(withLink(input)),
    signalWithStart: (input, next) => next(withLink(input)),
  };
};
