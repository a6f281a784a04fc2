import { IconCloudOff } from '@tabler/icons-react';
import { useConnection } from '../api/connection.ts';
import { Time } from '../parts/time.tsx';
import { words } from './words.ts';

/** Says that the server is not reached, and of when what is shown is. It goes by itself. */
export const OfflineBanner = () => {
  const { state, answeredAt } = useConnection();
  return (
    <div role="status">
      {state !== 'there' && (
        <div className="offline">
          <IconCloudOff size={18} stroke={1.8} aria-hidden />
          <span>
            {words.connection[state]} {words.connection.shownOf}{' '}
            <Time at={new Date(answeredAt).toISOString()} format="clock" />
          </span>
        </div>
      )}
    </div>
  );
};
