import { readConsent } from '../../contacts/consent.ts';
import { asksForPerson } from '../../flows/handover-words.ts';
import { matchesKeyword, readMessage } from '../../flows/keywords.ts';
import { matchesStartLink, readStartPayload } from '../../flows/start-link.ts';
import type { Trigger } from '../../flows/definition/triggers.ts';
import type { ReplyAttachment } from '../../flows/blocks/context.ts';
import { mediaNoun, tellFile } from '../../media/schema.ts';
import { showId } from '../../ids.ts';
import { unreachable } from '../../unreachable.ts';
import { tellEvent } from './events.ts';
import { moveForeground } from './foreground.ts';
import { endHandover, requestHandover } from './handovers.ts';
import { addTag, nameOfTag } from './make-pass.ts';
import type { Routed, SimulatedAttachment, SimulatedInput } from './simulation.ts';
import { isOpen, seededUuid, startRun, type SimulatedRun, type World } from './world.ts';

/** Gives an input to whom it is for, and has the runs that it concerns make a pass. Time is passed by who asks. */
export const takeInput = (world: World, input: Exclude<SimulatedInput, { type: 'after' }>): Routed => {
  switch (input.type) {
    case 'text':
      return routeMessage(world, input);
    case 'event':
      return takeEvent(world, input);
    case 'child_ended':
      return endChild(world, input.status);
    case 'handover_ended': {
      if (!world.handover) return toNobody('no_handover');
      for (const tell of endHandover(world, { status: input.status, by: undefined })) tell();
      return { ...nothing, to: 'handover' };
    }
    default:
      return unreachable(input);
  }
};

const nothing = { run: null, by: null, because: null } as const;

const toNobody = (because: string): Routed => ({ ...nothing, to: 'nobody', because });

/** In the order of `triggers/route-message.ts`, with the triggers of the flow alone. */
const routeMessage = (world: World, { text, attachments = [] }: Extract<SimulatedInput, { type: 'text' }>): Routed => {
  const seq = (world.seq += 1);
  const word = readConsent(text);
  if (word === 'stop' || (word === 'start' && world.status === 'unsubscribed')) {
    if (word === 'stop') unsubscribe(world);
    else world.status = 'active';
    return { ...nothing, to: 'consent' };
  }
  if (world.status !== 'active') return toNobody(world.status);
  if (asksForPerson(world.given.handoverWords, text) && !world.handover) {
    for (const tell of requestHandover(world, { by: undefined })) tell();
    return { ...nothing, to: 'handover' };
  }
  if (isSilent(world)) return toNobody('silence');
  const fired = findFired(world.definition.triggers, text);
  const event = {
    name: 'new_message',
    message: { id: showId('message', seededUuid(world.given.seed, `message ${seq}`)), text },
  };
  const start = (fires: boolean, params: Record<string, string> = {}) =>
    fires ? startRun(world, { params, event, depth: 0 }) : undefined;
  const { foreground } = world;
  const byLink = start(fired.payload !== undefined, { payload: fired.payload ?? '' });
  const interrupting = byLink ?? start(fired.interrupts);
  if (interrupting) {
    moveForeground(world, { from: foreground, to: interrupting.state.id });
    for (const run of familyOf(world, foreground)) run.isWoken = true;
    return { ...nothing, to: 'flow', run: interrupting.number, by: byLink ? 'start_link' : 'keyword' };
  }
  const [having] = familyOf(world, foreground);
  if (having) {
    having.inputs = [
      ...having.inputs,
      { type: 'reply', seq, text, ...(attachments.length > 0 && { attachments: attachments.map(showAs(world, seq)) }) },
    ];
    having.isWoken = true;
    return { ...nothing, to: 'run', run: having.number, because: having.state.waiting === 'reply' ? null : 'kept' };
  }
  const byKeyword = start(fired.keyword);
  if (byKeyword) return { ...nothing, to: 'flow', run: byKeyword.number, by: 'keyword' };
  const byDefault = start(fired.default);
  if (byDefault) return { ...nothing, to: 'flow', run: byDefault.number, by: 'default_reply' };
  return toNobody(fired.payload !== undefined || fired.keyword || fired.default ? 'in_flow_already' : 'no_trigger');
};

/** An attachment as a run gets it. A file of which only type and name are known has an id, no bytes, and a link that opens nothing. */
const showAs =
  ({ given: { seed, baseUrl }, files }: World, seq: number) =>
  (one: SimulatedAttachment, index: number): ReplyAttachment => {
    if ('media_id' in one) {
      const known = files.get(one.media_id);
      if (!known) throw new TypeError('a simulation names a file that it does not have');
      return tellFile(known.file);
    }
    if (one.type === 'location') return one;
    const { type, name } = one;
    const file = {
      id: seededUuid(seed, `media ${seq} ${index}`),
      type,
      name,
      contentType: 'application/octet-stream',
      bytes: 0,
      width: null,
      height: null,
      hasThumbnail: false,
    };
    const id = showId(mediaNoun, file.id);
    files.set(id, { file, url: `${baseUrl}/media/${id}/${encodeURIComponent(name)}?simulated` });
    return tellFile(file);
  };

const findFired = (triggers: readonly Trigger[], text: string) => {
  const message = readMessage(text);
  const keywords = triggers.filter((trigger) => trigger.type === 'keyword' && matchesKeyword(message, trigger));
  const payload = readStartPayload(text);
  const isLink = ({ match, payload: wanted }: Extract<Trigger, { type: 'start_link' }>) =>
    payload !== undefined && matchesStartLink(payload, { match, words: wanted === undefined ? null : [wanted] });
  return {
    /** Of the link by which the message came, where the flow has a trigger for it. */
    payload: triggers.some((trigger) => trigger.type === 'start_link' && isLink(trigger)) ? payload : undefined,
    interrupts: keywords.some((trigger) => trigger.type === 'keyword' && trigger.interrupt),
    keyword: keywords.length > 0,
    default: triggers.some(({ type }) => type === 'default_reply'),
  };
};

const isSilent = ({ given: { silentUntil }, handover, now }: World): boolean =>
  handover !== null || (silentUntil !== null && silentUntil > now.getTime());

const familyOf = ({ runs }: World, rootRunId: string | null): SimulatedRun[] =>
  runs.filter((run) => isOpen(run) && run.state.rootRunId === rootRunId);

/** STOP ends all runs, as `life/end-runs.ts` does. */
const unsubscribe = (world: World): void => {
  const reason = 'unsubscribed';
  if (world.status === 'active') world.status = reason;
  for (const run of world.runs.filter(isOpen)) {
    const step = run.steps.get(run.state.step);
    if (step && step.status !== 'done')
      run.steps.set(step.number, { ...step, status: 'done', reason, leftAt: world.now });
    const ended = {
      status: 'cancelled',
      reason,
      waiting: null,
      waitingSince: null,
      wakeAt: null,
      leftMs: null,
    } as const;
    run.state = { ...run.state, ...ended };
    run.isWoken = false;
  }
  world.foreground = null;
};

const takeEvent = (world: World, { name, data }: Extract<SimulatedInput, { type: 'event' }>): Routed => {
  const told = name === 'tag_applied' ? applyTag(world, data) : data;
  if (!told) return toNobody('has_tag_already');
  const run = tellEvent(world, { name, data: told });
  return run ? { ...nothing, to: 'runs', run: run.number, by: name } : toNobody('no_trigger');
};

/** The event of a tag that the contact gets; undefined when it has the tag. */
const applyTag = (world: World, { tag }: Extract<SimulatedInput, { type: 'event' }>['data']) => {
  const name = typeof tag === 'object' && tag !== null && 'name' in tag ? tag.name : undefined;
  if (typeof name !== 'string' || !addTag(world, name)) return undefined;
  return { tag: { name: nameOfTag(world, name) } };
};

const endChild = (world: World, status: 'completed' | 'failed' | 'cancelled'): Routed => {
  const run = world.runs.find((one) => isOpen(one) && one.state.waiting === 'child');
  if (!run) return toNobody('no_child');
  run.inputs = [...run.inputs, { type: 'child_ended', seq: (world.seq += 1), status }];
  run.isWoken = true;
  return { ...nothing, to: 'runs', run: run.number };
};
