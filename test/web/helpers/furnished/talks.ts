import { newUuid, showId } from '../../../../src/shared/ids.ts';
import { sendingsOf } from '../../../helpers/messages.ts';
import { call, type Setting } from './setting.ts';

type Talk = { contact: string; conversation: string };

/** A contact writes over the channel; answers both ids as the API shows them. */
export const write = async (
  setting: Setting,
  sender: { external_id: string; first_name?: string },
  text: string,
): Promise<Talk> => {
  const path = `/channels/${showId('channel', setting.world.channelId)}/inbound`;
  const { message } = await call<{ message: { id: string } }>(setting, 'POST', path, {
    message_id: newUuid(),
    sender,
    text,
  });
  const read = await call<{ contact_id: string; conversation_id: string }>(setting, 'GET', `/messages/${message.id}`);
  return { contact: read.contact_id, conversation: read.conversation_id };
};

/** Makes one attempt of each message that waits to be sent to a contact. */
const sendWhatWaits = async ({ world }: Setting): Promise<void> => {
  for (const workflowId of new Set(sendingsOf(world))) {
    const sending = { sendingId: workflowId.replace('sending/', ''), resumes: 0 };
    for (let turn = ''; turn !== 'over' && turn !== 'wait';)
      turn = (await world.activities.sendNextMessage(sending)).type;
  }
};

/** A channel that sends, one that does not; conversations that are open, closed and handed over, with notes and messages both ways; a canned reply. */
export const furnishTalks = async (setting: Setting) => {
  const { world, account, receiver, say } = setting;
  const changes = { name: say('Shop chat'), callback_url: receiver.url('/to-visitors') };
  const channel = showId('channel', world.channelId);
  await call(setting, 'PATCH', `/channels/${channel}`, changes);
  await call(setting, 'POST', '/channels', { type: 'api', name: say('App') });

  const open = await write(
    setting,
    { external_id: say('visitor-1'), first_name: say('Mary') },
    say('Is the blue one still there?'),
  );
  await call(setting, 'POST', `/contacts/${open.contact}/messages`, {
    text: say('Yes, two are left.'),
    quick_replies: [say('Take it').slice(0, 80), 'No'],
  });
  await sendWhatWaits(setting);
  await call(setting, 'POST', `/contacts/${open.contact}/messages`, { text: say('Shall we keep one for you?') });
  await call(setting, 'POST', `/conversations/${open.conversation}/notes`, { text: say('Has asked twice.') });
  await call(setting, 'PATCH', `/conversations/${open.conversation}`, { assigned_to: showId('user', account.userId) });

  const angry = await write(
    setting,
    { external_id: 'visitor-2', first_name: say('Annie') },
    say('Where is my parcel?'),
  );
  const handover = await call(setting, 'POST', '/handovers', {
    conversation_id: angry.conversation,
    reason: say('Is angry.'),
  });
  await call(setting, 'POST', '/canned-replies', { shortcut: 'thanks', text: say('Thank you for your order!') });
  const closed = await write(setting, { external_id: 'visitor-3', first_name: 'Edith' }, say('Thank you!'));
  await call(setting, 'POST', `/conversations/${closed.conversation}/close`);
  return {
    channel,
    contact: open.contact,
    conversations: [open.conversation, angry.conversation, closed.conversation],
    handover: handover.id,
  };
};
