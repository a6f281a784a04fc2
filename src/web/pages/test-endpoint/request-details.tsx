import { Stack, Text, Title } from '@mantine/core';
import { api, type Schemas } from '../../api/client.ts';
import { CodeLines } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Failure } from '../../parts/failure.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import { Time } from '../../parts/time.tsx';
import { To } from '../../parts/to.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { words } from './words.ts';

/** One request that came: how it is signed, its headers and its body. */
export const RequestDetails = ({ id }: { id: string }) => {
  const { data: request, error } = api.useQuery(
    'get',
    '/test-endpoint/requests/{id}',
    { params: { path: { id } } },
    { staleTime: Infinity },
  );
  if (!request) return error ? <Failure error={error} /> : <Waiting />;
  const { verification, method, path, headers, body } = request;
  return (
    <Stack gap="sm">
      <Facts
        stacks
        facts={[
          [words.request, `${method} ${path || '/'}`],
          [words.at, <Time key="at" at={request.received_at} />],
          [words.size, words.bytes(request.body_bytes)],
          ['X-Service-Signature', words.signatures[verification.service_signature]],
          ['webhook-signature', words.signatures[verification.standard_signature]],
        ]}
      />
      <Why verification={verification} />
      <Title order={3} size="h6">
        {words.bodyOf}
      </Title>
      {body === '' ? <Text size="sm">{words.noBody}</Text> : <JsonText value={body} label={words.bodyOf} />}
      {request.body_truncated && <Text size="sm">{words.truncated}</Text>}
      <Title order={3} size="h6">
        {words.headers}
      </Title>
      <CodeLines
        value={headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
        label={words.headers}
        maxHeight={240}
      />
    </Stack>
  );
};

const Why = ({ verification }: { verification: Schemas['TestVerification'] }) => {
  const { message, secret, webhook_id: webhookId } = verification;
  return (
    <>
      {message !== null && <Text size="sm">{message}</Text>}
      {secret === 'previous' && <Text size="sm">{words.previousSecret}</Text>}
      {webhookId !== null && <To to={`/settings/webhooks/${webhookId}`}>{words.webhook}</To>}
    </>
  );
};
