/* Subjects of test_isa_memory: how many texts differ from their reference, on all archs that comgr knows. */
#ifndef ISA_MEMORY_H
#define ISA_MEMORY_H

#define ISA_MEMORY_SUBJECTS(X) X(memory) X(buffer) X(lds) X(lds_lane) X(clocks) X(smem) X(mfma)

#define ISA_DECLARE_RUN(subject) unsigned isa_run_##subject(void);
ISA_MEMORY_SUBJECTS(ISA_DECLARE_RUN)
#undef ISA_DECLARE_RUN

#endif
