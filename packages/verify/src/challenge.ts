/** The answer to a verification request (specification 2.4): 200 and the unchanged value. */
export const answerChallenge = (challenge: string) => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ challenge }),
});
