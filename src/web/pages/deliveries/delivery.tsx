import { Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useParams } from 'react-router';
import { api } from '../../api/client.ts';
import { mayAs } from '../../api/session.ts';
import { Failure } from '../../parts/failure.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import { readingOf } from '../../parts/freshness.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { Attempts } from './attempts.tsx';
import { DeliveryActions } from './delivery-actions.tsx';
import { DeliveryFacts } from './delivery-facts.tsx';
import { words } from './words.ts';

/** While a delivery is under way, its page asks every so many ms, also where a proxy keeps the live hints away. */
const askAgainMs = 3_000;

/** One delivery: what was sent, every attempt with its answer, and what can be done. */
export const Page = () => {
  const { id = '' } = useParams();
  const mayRead = mayAs('editor', useSignedIn());
  const asked = api.useQuery(
    'get',
    '/deliveries/{id}',
    { params: { path: { id } } },
    {
      refetchInterval: ({ state }) =>
        state.data?.status === 'pending' || state.data?.status === 'retrying' ? askAgainMs : false,
    },
  );
  const { data, error, refetch } = asked;
  return (
    <Frame
      reading={readingOf(asked)}
      title={data ? words.of(data.event) : words.id}
      above={[{ title: words.title, to: '/settings/logs/delivery' }]}
      actions={data && mayRead && <DeliveryActions delivery={data} />}
    >
      {error && !data ? <Failure error={error} retry={() => void refetch()} /> : null}
      {data ? (
        <>
          <Paper withBorder p="md">
            <DeliveryFacts delivery={data} />
          </Paper>
          <Attempts delivery={data} />
          <Stack gap="xs">
            <Title order={2} size="h4">
              {words.body}
            </Title>
            <Text size="sm" c="dimmed">
              {mayRead ? words.bodyHint : words.noBodies}
            </Text>
            {data.body !== null && <JsonText value={data.body} label={words.body} />}
          </Stack>
        </>
      ) : (
        !error && <Skeleton height={240} />
      )}
    </Frame>
  );
};
