import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client.ts';
import { sayRunReason } from '../../parts/say-run-reason.ts';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';
import { NewRetry } from './new-retry.tsx';
import { words } from './words.ts';

type Failure = Schemas['FlowFailures']['failures'][number];

const sayReason = ({ reason }: Failure): string => (reason === null ? words.failures.noReason : sayRunReason(reason));

/** The failed runs of a flow by block and reason, and the way to have them go on. Nothing where none has failed. */
export const FailedRuns = ({ flowId, mayEdit }: { flowId: string; mayEdit: boolean }) => {
  const { data } = api.useQuery('get', '/flows/{id}/failures', { params: { path: { id: flowId } } });
  const [chosen, choose] = useState<Failure>();
  if (!data || data.failures.length === 0) return null;
  return (
    <Section title={words.failures.title} description={words.failures.text}>
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {data.failures.map((failure) => (
          <Group
            component="li"
            key={`${failure.block_id} ${failure.reason} ${failure.flow_version}`}
            justify="space-between"
            gap="sm"
          >
            <Stack gap={2}>
              <Text size="sm">
                <b>{words.failures.at(failure.block_id)}</b>: {words.failures.runs(failure.runs)}, {sayReason(failure)}
              </Text>
              <Text size="xs" c="dimmed">
                {words.failures.version(failure.flow_version)}, {words.failures.last}{' '}
                <Time at={failure.last_failed_at} />
                {failure.is_in_live_version ? '' : `. ${words.failures.gone}`}
              </Text>
            </Stack>
            {mayEdit && failure.is_in_live_version && (
              <Button
                size="xs"
                variant="default"
                aria-label={words.failures.retryOf(failure.block_id, sayReason(failure))}
                onClick={() => choose(failure)}
              >
                {words.failures.retry}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      {chosen && <NewRetry flowId={flowId} failure={chosen} close={() => choose(undefined)} />}
    </Section>
  );
};
