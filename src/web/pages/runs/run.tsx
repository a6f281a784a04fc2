import './run.css';
import { Alert, Group, Skeleton, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { useParams } from 'react-router';
import { api, type Schemas } from '../../api/client.ts';
import { useContact } from '../../api/contact-names.ts';
import { ContactLink, sayContact } from '../../parts/contact-link.tsx';
import { readingOf, type Reading } from '../../parts/freshness.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { RunStatus } from '../../parts/run-status.tsx';
import { Time } from '../../parts/time.tsx';
import { To } from '../../parts/to.tsx';
import { Actions } from './actions.tsx';
import { FactsOfRun } from './facts-of-run.tsx';
import { idOfStep } from './story-step.tsx';
import { StoryOfRun } from './story.tsx';
import { useStory, type ToldStep } from './use-story.ts';
import { walkOf } from './walk-of.ts';
import { words } from './words.ts';

const DrawingOfRun = lazy(async () => ({ default: (await import('./drawing-of-run.tsx')).DrawingOfRun }));

type Run = Schemas['RunDetail'];

/** One run, told as a conversation beside the drawing of its flow. */
export const Page = () => {
  const { id = '' } = useParams();
  const asked = api.useQuery('get', '/runs/{id}', { params: { path: { id } } });
  const { data, error, refetch } = asked;
  const above = [{ title: words.title, to: '/runs' }];
  if (!data) return <LoadingPage title={words.one} above={above} error={error} retry={() => void refetch()} />;
  return <OneRun key={id} run={data} above={above} reading={readingOf(asked)} />;
};

type Props = { run: Run; above: readonly { title: string; to: string }[]; reading: Reading };

const OneRun = ({ run, above, reading }: Props) => {
  const contact = useContact(run.contact_id);
  const flow = api.useQuery('get', '/flows/{id}', { params: { path: { id: run.flow_id } } });
  const title = contact && flow.data && words.named({ contact: sayContact(contact), flow: flow.data.name });
  return (
    <Frame
      fill
      title={title ?? words.one}
      above={above}
      description={<WhereItBelongs run={run} flowName={flow.data?.name} />}
      actions={<Actions run={run} />}
      reading={reading}
    >
      <LoopGuard run={run} />
      <details className="run-details">
        <summary>{words.details}</summary>
        <FactsOfRun run={run} />
      </details>
      <Parts run={run} name={contact ? sayContact(contact) : words.theContact} />
    </Frame>
  );
};

const WhereItBelongs = ({ run, flowName }: { run: Run; flowName: string | undefined }) => {
  const { contact_id: contactId, flow_id: flowId, flow_version: version } = run;
  return (
    <Stack gap={4}>
      <RunStatus run={run} />
      <Group gap="xs">
        <ContactLink id={contactId} />
        <To to={`/flows/${flowId}`}>{flowName ?? '…'}</To>
        <To to={`/flows/${flowId}/versions/${version}`}>{words.version(version)}</To>
      </Group>
    </Stack>
  );
};

/** The drawing and the story. What is chosen in one of them is shown in the other. */
const Parts = ({ run, name }: { run: Run; name: string }) => {
  const { flow_id: id, flow_version: version } = run;
  const isNarrow = useMediaQuery('(max-width: 64em)', undefined, { getInitialValueInEffect: false });
  const params = { path: { id, version: String(version) } };
  const { data } = api.useQuery('get', '/flows/{id}/versions/{version}', { params }, { staleTime: Infinity });
  const story = useStory(run.id);
  const steps = useMemo(() => story.steps ?? [], [story.steps]);
  const walk = useMemo(() => walkOf(run, steps), [run, steps]);
  const [block, setBlock] = useState<{ blockId: string }>();
  const [step, setStep] = useState<number>();
  const last = useRef<ToldStep>(undefined);
  /** Shows the last step at a block, and the one before when it is asked again. */
  const tell = (blockId: string): void => {
    const at = steps.filter((one) => one.block_id === blockId);
    const found =
      at.findLast(({ number }) => last.current?.block_id !== blockId || number < last.current.number) ?? at.at(-1);
    if (!found) return;
    last.current = found;
    setStep(found.number);
    const element = document.getElementById(idOfStep(found.number));
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
  };
  const show = (blockId: string): void => setBlock({ blockId });
  const told = (
    <div key="story">
      <StoryOfRun run={run} story={story} name={name} definition={data?.definition} shown={step} show={show} />
    </div>
  );
  const drawn = (
    <div key="drawing" className="fill">
      <Suspense fallback={<Skeleton height={380} />}>
        {data && <DrawingOfRun definition={data.definition} walk={walk} shown={block} tell={tell} />}
      </Suspense>
    </div>
  );
  return <div className="run-parts">{isNarrow ? [told, drawn] : [drawn, told]}</div>;
};

/** How many runs were not begun because this one had caused too many. */
const LoopGuard = ({ run: { loop_guard: guard } }: { run: Run }) => {
  if (guard === null) return null;
  return (
    <Alert color="orange" title={words.notBegun(guard.not_begun)}>
      {words.notBegunText} {words.notBegunLast} <Time at={guard.last_at} />
    </Alert>
  );
};
