import { ActionIcon, Anchor, Button, Group, Menu, Tooltip, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import { lazy, memo, Suspense, useLayoutEffect, useState } from 'react';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { mayAs } from '../../api/session.ts';
import { confirm } from '../../parts/confirm.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { showFailure } from '../../parts/failure.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { discardDraft } from './publish/take-version.ts';
import { words as versionWords } from './publish/words.ts';
import { RenameFlow } from './rename-flow.tsx';
import type { AnyDefinition } from './definition-text.ts';
import { hold } from './canvas/hold.ts';
import { OfDraft, useOpenedDraft } from './draft/draft-context.tsx';
import type { Draft } from './draft/use-draft.ts';
import { words } from './words.ts';

const PublishDialog = lazy(async () => ({ default: (await import('./publish/publish-dialog.tsx')).PublishDialog }));

type Flow = Schemas['Flow'];

/** The draft that could not be published, and how many errors it has. */
export type Refused = { definition: AnyDefinition; errors: number };

type Props = {
  flow: Flow;
  /** Told when publishing begins. */
  onPublish: () => void;
  /** Told when the draft has errors. */
  onRefused: (refused: Refused) => void;
  /** Shows what is wrong with the draft. */
  showProblems: () => void;
  /** Whether the page below counts them itself, as far as the draft is JSON. */
  areCounted: boolean;
};

/** What is shown of a draft: these stay the same for most keys. */
type Shown = {
  hasDraft: boolean;
  isChanged: boolean;
  isStored: boolean;
  problems: number;
  isJson: boolean;
  /** The draft as it is now. */
  now: () => Draft | undefined;
};

/** What is done to a flow as a whole: publishing it, and what changes its state. */
export const FlowActions = (props: Props) => {
  const { draft } = useOpenedDraft();
  const [held] = useState(() => hold(draft));
  useLayoutEffect(() => held.set(draft));
  const isChanged = draft?.isChanged === true;
  return (
    <Actions
      {...props}
      hasDraft={draft !== undefined}
      isChanged={isChanged}
      isStored={draft?.revision === props.flow.draft_revision && !isChanged}
      problems={(props.areCounted ? 0 : countErrors(draft?.issues ?? [])) + (draft?.problem === undefined ? 0 : 1)}
      isJson={draft?.problem === undefined}
      now={held.get}
    />
  );
};

const Actions = memo((props: Props & Shown) => {
  const { flow, hasDraft, isChanged, now } = props;
  const mayEdit = mayAs('editor', useSignedIn());
  const [isRenaming, renaming] = useDisclosure();
  const { id, name, status, version } = flow;
  const discard = (): void => {
    const draft = now();
    if (draft && version !== null) discardDraft(draft, { flowId: id, version });
  };
  return (
    <Group gap="xs">
      {mayEdit && status !== 'archived' && hasDraft && <Publish {...props} />}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={words.actions}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayEdit && <StateItems flow={flow} />}
          {mayEdit && <Menu.Item onClick={renaming.open}>{words.rename}</Menu.Item>}
          {mayEdit && hasDraft && version !== null && (flow.draft_changed || isChanged) && (
            <Menu.Item onClick={discard}>{versionWords.discard}</Menu.Item>
          )}
          <Menu.Item component="a" href={`/dashboard/api/flows/${id}/export`} download={`${fileName(name)}.json`}>
            {words.export}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isRenaming && <RenameFlow flow={flow} close={renaming.close} />}
    </Group>
  );
});
Actions.displayName = 'Actions';

/** Publishes the draft after asking, which says beforehand how many errors forbid it. */
const Publish = ({ flow, isStored, problems, isJson, now, onPublish, onRefused, showProblems }: Props & Shown) => {
  const [isOpen, { open, close }] = useDisclosure();
  const isPublished = flow.status !== 'draft' && !flow.draft_changed && isStored;
  const refuse = (count: number): void => {
    const draft = now();
    if (draft) onRefused({ definition: draft.definition, errors: count });
  };
  return (
    <>
      {problems > 0 && (
        <Anchor component="button" type="button" size="sm" onClick={showProblems}>
          {words.problems(problems)}
        </Anchor>
      )}
      <PublishButton
        onClick={() => {
          onPublish();
          open();
        }}
        whyNot={
          isJson ? (isPublished ? words.publishNot.isLive(flow.version ?? 0) : undefined) : words.publishNot.noJson
        }
      />
      {isOpen && (
        <Suspense>
          <OfDraft>
            {(draft) => draft && <PublishDialog flow={flow} draft={draft} close={close} onRefused={refuse} />}
          </OfDraft>
        </Suspense>
      )}
    </>
  );
};

/** One that cannot be pressed says why, to a keyboard and to a screen reader, too. */
const PublishButton = ({ onClick, whyNot }: { onClick: () => void; whyNot: string | undefined }) => {
  const id = useId();
  if (whyNot === undefined) return <Button onClick={onClick}>{words.publish}</Button>;
  return (
    <>
      <Tooltip label={whyNot} withinPortal={false} events={{ hover: true, focus: true, touch: true }}>
        <Button data-disabled aria-disabled aria-describedby={id} onClick={(event) => event.preventDefault()}>
          {words.publish}
        </Button>
      </Tooltip>
      <VisuallyHidden id={id}>{whyNot}</VisuallyHidden>
    </>
  );
};

/** Warnings do not forbid anything. */
const countErrors = (issues: readonly { severity?: string | undefined }[]): number =>
  issues.filter(({ severity }) => severity !== 'warning').length;

/** What leads from this state to another. */
const StateItems = ({ flow: { id, name, status } }: { flow: Flow }) => {
  const params = { params: { path: { id } } };
  const post = {
    pause: () => client.POST('/flows/{id}/pause', params),
    resume: () => client.POST('/flows/{id}/resume', params),
    archive: () => client.POST('/flows/{id}/archive', params),
    unarchive: () => client.POST('/flows/{id}/unarchive', params),
  };
  const change = async (what: keyof typeof post): Promise<void> => {
    await post[what]();
    await invalidate('/flows', '/triggers');
  };
  const changeWithUndo = async (what: keyof typeof post, back?: keyof typeof post): Promise<void> => {
    await change(what);
    showDone({ message: words.changedTo[what](name), ...(back && { undo: () => change(back) }) });
  };
  const pause = (): void =>
    confirm({
      title: words.pauseTitle(name),
      children: words.pauseText,
      action: words.pause,
      onConfirm: () => changeWithUndo('pause', 'resume'),
    });
  const archive = (): void =>
    confirm({
      title: words.archiveTitle(name),
      children: words.archiveText,
      action: words.archive,
      isDangerous: true,
      // Out of the archive, a flow is a draft again.
      onConfirm: () => changeWithUndo('archive', status === 'draft' ? 'unarchive' : undefined),
    });
  const resume = (): void => void changeWithUndo('resume', 'pause').catch(showFailure);
  const unarchive = (): void => void changeWithUndo('unarchive', 'archive').catch(showFailure);
  return (
    <>
      {status === 'live' && <Menu.Item onClick={pause}>{words.pause}</Menu.Item>}
      {status === 'paused' && <Menu.Item onClick={resume}>{words.resume}</Menu.Item>}
      {status === 'archived' ? (
        <Menu.Item onClick={unarchive}>{words.unarchive}</Menu.Item>
      ) : (
        <Menu.Item onClick={archive}>{words.archive}</Menu.Item>
      )}
    </>
  );
};

const fileName = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'flow';
