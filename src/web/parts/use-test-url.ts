import { api } from '../api/client.ts';
import { useSignedIn } from '../shell/session-context.ts';

/** The address of the test endpoint, where the installation has one, and whether that is known. */
export const useTestUrl = (): { url: string | undefined; isKnown: boolean } => {
  const { installation } = useSignedIn();
  const isEnabled = installation.test_endpoint;
  const { data, isError } = api.useQuery('get', '/test-endpoint', {}, { enabled: isEnabled });
  return { url: data?.url, isKnown: !isEnabled || data !== undefined || isError };
};
