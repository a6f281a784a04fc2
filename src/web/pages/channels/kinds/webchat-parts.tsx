import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { Schemas } from '../../../api/client.ts';
import { CodeLines } from '../../../parts/copy.tsx';
import { Section } from '../../../parts/section.tsx';
import { useSignedIn } from '../../../shell/session-context.ts';
import { words as all } from '../words.ts';
import { WebchatPreview } from './webchat-preview.tsx';

const words = all.webchat;

/** What a server answers to its page, which hands it on to `ParleyWebchat.identify`. */
const identityCode = `import { createHmac } from 'node:crypto';

const external_id = 'user-17'; // your ID of who is signed in
const expires_at = Math.floor(Date.now() / 1000) + 3600; // at most 24 hours ahead
const hash = createHmac('sha256', process.env.PARLEY_IDENTITY_SECRET)
  .update(\`\${external_id}.\${expires_at}\`)
  .digest('hex');
// In the page: ParleyWebchat.identify({ external_id, name, email, expires_at, hash });`;

/** How a webchat comes onto a site, and how visitors are identified. */
export const WebchatParts = ({ channel }: { channel: Schemas['Channel'] }) => {
  const { installation } = useSignedIn();
  const script = `<script src="${installation.base_url}/webchat/${channel.id}.js" async></script>`;
  return (
    <>
      <Section
        title={words.demo}
        description={words.demoHint}
        actions={
          <Button
            component="a"
            href={`/webchat/${channel.id}/demo`}
            target="_blank"
            rel="noreferrer"
            rightSection={<IconExternalLink size={16} aria-hidden />}
          >
            {words.openDemo}
          </Button>
        }
      >
        {channel.type === 'webchat' && <WebchatPreview {...channel} title={channel.title ?? channel.name} />}
      </Section>
      <Section title={words.snippet} description={words.snippetHint}>
        <CodeLines value={script} label={words.snippet} />
      </Section>
      <Section title={words.identity} description={words.identityHint}>
        <CodeLines value={identityCode} label={words.identityCode} />
      </Section>
    </>
  );
};
