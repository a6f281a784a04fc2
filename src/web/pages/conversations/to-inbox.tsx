import { Navigate, useParams } from 'react-router';
import { linkOfConversation } from '../../parts/link-of-conversation.ts';

/** Leads on to where conversations are read. */
export const Page = () => <Navigate to={linkOfConversation({ id: useParams()['id'] ?? '' })} replace />;
