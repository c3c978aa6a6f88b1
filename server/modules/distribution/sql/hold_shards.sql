-- Keeps the shards of players on this node until the transaction ends: who moves or splits one waits. The same lock
-- that Citus takes for a statement of its own. In the name of the owner of the tables, as Citus asks for it. Says
-- which of them lie here, asked after the lock: one may have left while it was waited for.
create or replace function hold_shards(p_shards bigint[]) returns bigint[] language plpgsql security definer
  set search_path = pg_catalog as $$
begin
  -- 5: ShareLock. Citus 13.2, resource_lock.c
  perform lock_shard_metadata(5, p_shards);
  return array(select l.shardid from pg_dist_placement l join pg_dist_local_group g using (groupid)
    where l.shardid = any (p_shards) and l.shardstate = 1);
end $$;
