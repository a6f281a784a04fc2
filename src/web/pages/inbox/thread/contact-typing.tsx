import { useIsContactTyping } from '../../../live/typing.ts';
import { words } from '../words.ts';

/** Says that the contact types. */
export const ContactTyping = ({ conversationId, name }: { conversationId: string; name: string }) => {
  const isTyping = useIsContactTyping(conversationId);
  return (
    <div className="inbox-typing" role="status">
      {isTyping && words.thread.contactTypes(name)}
    </div>
  );
};
