import { Anchor, Text } from '@mantine/core';
import { CodeLines } from '../../../parts/copy.tsx';
import { postAsCurl } from '../../../parts/post-as-curl.ts';
import { Section } from '../../../parts/section.tsx';
import { useSignedIn } from '../../../shell/session-context.ts';
import { words } from '../words.ts';

/** A message as a server hands it in. */
const message =
  '{"message_id": "chat-4711", "sender": {"external_id": "visitor-7", "first_name": "Ada"}, "text": "Hello"}';

/** What a server has to call for each message of a contact. */
export const HandIn = ({ channelId }: { channelId: string }) => {
  const { installation } = useSignedIn();
  return (
    <Section title={words.handIn} description={words.handInHint}>
      <CodeLines
        value={postAsCurl(installation.api_url, `/v1/channels/${channelId}/inbound`, message)}
        label={words.handInCode}
      />
      <Text size="sm">
        <Anchor href="/docs#tag/channels">{words.moreInDocs}</Anchor>
      </Text>
    </Section>
  );
};
