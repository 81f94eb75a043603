const PAGE = '50';

export const pageAt = (cursor: string | undefined) => ({
  limit: PAGE,
  ...(cursor !== undefined && { cursor }),
});
