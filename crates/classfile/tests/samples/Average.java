class Average {
    static int at;
    static int average(int[] in) {
        int[] nums = new int[in.length];
        int count = 0;
        Integer n = read(in);
        while (n != null) {
            if (n < 0) {
                return error();
            } else {
                nums[count] = n;
                count++;
            }
            n = read(in);
        }
        int average = compute(nums, count);
        return average;
    }
    static Integer read(int[] in) { return at < in.length ? in[at++] : null; }
    static int error() { return -999; }
    static int compute(int[] nums, int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) sum += nums[i];
        return count == 0 ? 0 : sum / count;
    }
}
