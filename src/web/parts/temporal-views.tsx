import { Group, Text } from '@mantine/core';
import { useSignedIn } from '../shell/session-context.ts';
import { temporalWords } from '../words/temporal.ts';
import { OutLink } from './out-link.tsx';

type View = { name: string; query: string };

/** What Temporal's list shows of deliveries, by the search attributes of docs/temporal-ui.md. */
export const viewsOfDeliveries: readonly View[] = [
  { name: temporalWords.retrying, query: `WorkflowType = "deliverEvent" AND DeliveryStatus = "retrying"` },
  { name: temporalWords.failed, query: `WorkflowType = "deliverEvent" AND DeliveryStatus IN ("failed", "dropped")` },
];

/** The same of runs. One that waits is a workflow that runs. */
export const viewsOfRuns: readonly View[] = [
  { name: temporalWords.waiting, query: `WorkflowType = "runFlow" AND ExecutionStatus = "Running"` },
  { name: temporalWords.failed, query: `WorkflowType = "runFlow" AND RunStatus = "failed"` },
];

/** Links to views of Temporal's list, of this account alone. Nothing where no UI is known. */
export const TemporalViews = ({ views }: { views: readonly View[] }) => {
  const { account, installation } = useSignedIn();
  const list = installation.temporal_workflows_url;
  if (list === null) return null;
  return (
    <Group gap="sm">
      <Text span size="sm" c="dimmed">
        {temporalWords.views}
      </Text>
      {views.map(({ name, query }) => {
        const ofAccount = `AccountId = "${account.id}" AND ${query}`;
        return (
          <OutLink key={name} href={`${list}?query=${encodeURIComponent(ofAccount)}`}>
            {name}
          </OutLink>
        );
      })}
    </Group>
  );
};
