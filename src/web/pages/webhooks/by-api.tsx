import { Stack, Text } from '@mantine/core';
import { CodeLines } from '../../parts/copy.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { words } from './words.ts';

/** How a webhook of variant A is registered (specification 4.2), and what differs. */
export const ByApi = () => {
  const { installation } = useSignedIn();
  const curl = `SECRET="whsec_$(openssl rand -base64 32)"
echo "$SECRET"
curl -X POST ${installation.api_url}/v1/webhooks \\
  -H "Authorization: Bearer $PARLEY_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"url":"https://example.com/parley","events":["*"],"secret":"'"$SECRET"'"}'`;
  return (
    <Stack gap="sm">
      <Text size="sm">{words.byApiText}</Text>
      <CodeLines value={curl} label={words.curl} />
    </Stack>
  );
};
