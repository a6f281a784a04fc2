import { Alert, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRocket } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../../api/client.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { words } from './words.ts';

const TalkToFlow = lazy(async () => ({ default: (await import('./talk-to-flow.tsx')).TalkToFlow }));

type Props = { flow: Schemas['Flow']; definition: AnyDefinition | undefined };

/** After a publish, until it is dismissed: how to try the version that is live now. */
export const JustPublished = ({ flow, definition }: Props) => {
  const { id, version, status } = flow;
  const [known, setKnown] = useState(version);
  const [isTalking, talking] = useDisclosure();
  const isNew = version !== null && version !== known && status === 'live';
  return (
    <>
      {isNew && (
        <Alert
          role="status"
          color="teal"
          variant="light"
          title={words.published(version)}
          icon={<IconRocket aria-hidden />}
          withCloseButton
          onClose={() => setKnown(version)}
        >
          <Group gap="sm">
            <Text size="sm">{words.hint}</Text>
            <Button size="xs" onClick={talking.open}>
              {words.send}
            </Button>
            <Button
              size="xs"
              variant="default"
              component={Link}
              to={`/flows/${id}?tab=builder&phone=chat&version=${version}`}
            >
              {words.play}
            </Button>
          </Group>
        </Alert>
      )}
      {isTalking && definition && (
        <Suspense>
          <TalkToFlow flow={flow} definition={definition} close={talking.close} />
        </Suspense>
      )}
    </>
  );
};
