-- Drafts are made by themselves when a person resolves a conversation; a person hands them in, or drops them.
alter table human_solutions drop constraint human_solutions_status_check;
alter table human_solutions add constraint human_solutions_status_check
  check (status in ('draft', 'pending', 'approved', 'rejected'));
create index human_solutions_listing on human_solutions (created_at desc, solution_id desc);
